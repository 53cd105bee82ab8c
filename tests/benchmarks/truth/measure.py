#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is a speedup the truth? Two candidates do 5 and 6 passes of identical work, so that one is 1.2 times as fast as the other.

usage: measure.py <assay> <plan.json of relu> [<rounds> [<effort>]]    (default: 10 rounds, standard)

The task takes relu's place: (x x') x, of 160 by 160 elements, which lie in the nearest caches. Each pass multiplies anew, as the
baseline does once, and no compiler knows that the pass before has done so. What the machine does to one meets all of them. In each
round both candidates go through the stages compile, test and bench, in random order. Their speedups are measured apart from each
other, so that the interval of their quotient is as wide as both together. Exit 1 unless

  - both stages of both end with PASS in each round, or with doubts of the machine's steadiness, which is not in question here,
  - each round's interval lies above 1: the one that is known to be faster is seen to be,
  - at least 7 of 10 intervals of 95 % hold 1.2 (fewer happens once in 1,000 such measurements),
  - the geometric mean of all rounds is off 1.2 by at most 1 %, beside three standard errors of that mean.
"""
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import plan as plans  # noqa: E402

PASSES = (5, 6)
TRUTH = PASSES[1] / PASSES[0]
LEAST_COVERAGE, MOST_BIAS = 0.7, 0.01

TASK = """summary: A matrix by its transpose by itself.
difficulty: 1
model: |
  relu (float[N, C] x) => (float[N, C] y)
  { t = Transpose(x) s = MatMul(x, t) y = MatMul(s, x) }
dims: {N: [1, 8], C: [1, 64]}
timing:
  cpu: {dims: {N: 160, C: 160}}
"""

SOURCE = """#include "kernel.h"
void relu(const float* x, float* y, int64_t N, int64_t C) {
  static float square[160 * 160];
  for (int pass = 0; pass < PASSES; ++pass) {
    asm volatile("" ::: "memory");
    for (int64_t i = 0; i < N; ++i)
      for (int64_t j = 0; j < N; ++j) {
        float sums[16] = {};
        for (int64_t k = 0; k + 16 <= C; k += 16)
          for (int64_t l = 0; l < 16; ++l) sums[l] += x[i * C + k + l] * x[j * C + k + l];
        float sum = 0;
        for (int64_t k = C / 16 * 16; k < C; ++k) sum += x[i * C + k] * x[j * C + k];
        for (int64_t l = 0; l < 16; ++l) sum += sums[l];
        square[i * N + j] = sum;
      }
    for (int64_t i = 0; i < N; ++i) {
      for (int64_t k = 0; k < C; ++k) y[i * C + k] = 0;
      for (int64_t j = 0; j < N; ++j)
        for (int64_t k = 0; k < C; ++k) y[i * C + k] += square[i * N + j] * x[j * C + k];
    }
  }
}
"""


class Stages:
    """The real stages on a private copy of the plan."""

    def __init__(self, assay, plan, effort, folder):
        self.assay, self.folder = assay, folder
        task = plan["task"]
        spec = folder / task["category"] / task["task"] / "task.yaml"
        spec.parent.mkdir(parents=True)
        spec.write_text(TASK)
        plan = dict(plan, task=dict(task, task_yaml=str(spec), cases=str(folder / "cases.bin")),
                    settings=dict(plan["settings"], machine=str(folder / "machine.json"), effort=effort))
        (folder / "plan.json").write_text(json.dumps(plan))
        for command in (("cases", "--plan", folder / "plan.json"), ("timing", "--plan", folder / "plan.json"), ("machine", "--out", folder / "machine.json")):
            subprocess.run([assay + "-judge", *command], check=True, stdout=subprocess.DEVNULL)

    def stage(self, name, sample, *arguments):
        program = [self.assay + "-compile"] if name == "build" else [self.assay + "-judge", name]
        done = subprocess.run([*program, "--plan", self.folder / "plan.json", "--run", "truth", "--sample", str(sample),
                               "--prefix", self.folder / f"{sample:03}", *arguments], capture_output=True, text=True, check=False)
        return done.stdout

    def bench(self, passes):
        """Log of the speedup, the half-width of its interval, and the record."""
        source = self.folder / f"{passes:03}.cpp"
        source.write_text(SOURCE.replace("PASSES", str(passes)))
        self.stage("build", passes, "--source", source)
        for stage in ("test", "bench"):
            said = self.stage(stage, passes)
            record = json.loads(said.partition("\n")[0].removeprefix("assay: ")) if said.startswith("assay: {") else {"verdict": said}
            if record["verdict"] != "PASS" and record.get("doubt") != "machine":
                sys.exit(f"truth: {passes} passes: the stage {stage} ends with {record['verdict']}: {record.get('detail')}")
        low, high = (math.log(record["speedup"][bound]) for bound in ("low", "high"))
        return math.log(record["speedup"]["estimate"]), (high - low) / 2, record


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    plan = plans.load(sys.argv[2])
    rounds, effort = int(sys.argv[3]) if len(sys.argv) > 3 else 10, sys.argv[4] if len(sys.argv) > 4 else "standard"
    if rounds < 2:
        sys.exit("truth: needs 2 rounds at least")
    held, seen, logs = 0, 0, []
    with tempfile.TemporaryDirectory() as scratch:
        stages = Stages(sys.argv[1], plan, effort, pathlib.Path(scratch))
        for _ in range(rounds):
            results = {passes: stages.bench(passes) for passes in random.sample(PASSES, 2)}
            (fast, fast_half, record), (slow, slow_half, _) = (results[passes] for passes in PASSES)
            estimate, half = fast - slow, math.hypot(fast_half, slow_half)
            held += abs(estimate - math.log(TRUTH)) <= half
            seen += estimate - half > 0
            logs.append(estimate)
            print(f"{PASSES[0]} passes {record['time_ns'] / 1e3:.0f} us, baseline {record['baseline_ns'] / 1e3:.0f} us, "
                  f"speedup {math.exp(fast):.4f}; {PASSES[1]} passes {math.exp(slow):.4f}; quotient {math.exp(estimate):.4f} "
                  f"[{math.exp(estimate - half):.4f}, {math.exp(estimate + half):.4f}] {record['detail']}", flush=True)
    mean, chance = sum(logs) / rounds, 3 * statistics.stdev(logs) / math.sqrt(rounds)
    bias = mean - math.log(TRUTH)
    good = held >= LEAST_COVERAGE * rounds and seen == rounds and abs(bias) <= MOST_BIAS + chance
    print(f"truth {TRUTH}: in {held} of {rounds} intervals (limit {LEAST_COVERAGE * rounds:.0f}); {seen} of {rounds} above 1 (limit {rounds}); "
          f"mean {math.exp(mean):.4f}, off by {bias * 100:+.2f} % (limit {MOST_BIAS * 100:.0f} % and {chance * 100:.2f} % of chance): "
          f"{'good' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
