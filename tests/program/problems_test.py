#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""problems_test.py BUILD (verdicts | timings): problems of other shapes than those of tasks/api, each judged by the real programs of BUILD."""
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

REFERENCE = "int twice(int a) { return 2 * a; }\n"
TEST = "int twice(int);\nint main() { return twice(3) == 6 ? 0 : 1; }\n"
BUILD = "g++ -O1 -I include -o test.out solution.cpp test/*.cpp"


class Problem:
    """A program task in a folder of its own, with a plan for the tools."""

    def __init__(self, build, folder, name, test=TEST, reference=REFERENCE, verbatim=False, context=None, toolchain=None, test_file="test/main.cpp",
                 solution_file="solution.cpp", **fields):
        self.build, self.folder = build, folder / name
        spec = {"interface": "program", "type": "cuda_cpp", "task_id": name, "prompt": "Twice.", "difficulty": 1, "group": "cuda-kernels",
                "build_command": BUILD, "test_command": "./test.out", "timeout_seconds": 10.0, **fields}
        for part, files in (("context", context or {}), ("test", {test_file: test}), ("solution", {solution_file: reference})):
            for path, text in files.items():
                file = self.folder / "task" / part / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        (self.folder / "task/problem-spec.yaml").write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in spec.items()))
        told = build / "kernelassay"
        task = dict(json.loads((told / "histogram_openmp/task.json").read_text()), task=name,
                    task_yaml=str(self.folder / "task/problem-spec.yaml"), cases=str(self.folder / "built/cases.bin"))
        plan = dict(json.loads((told / "histogram_openmp/program.plan.json").read_text()), task=task, verbatim=verbatim,
                    bench="benchmark_command" in fields)
        plan |= {"toolchain": toolchain} if toolchain else {}
        self.plan = self.folder / "program.plan.json"
        self.plan.write_text(json.dumps(plan))
        self.run("assay-program", "test", "--plan", self.plan)
        self.samples = 0

    def run(self, program, *arguments):
        return subprocess.run([self.build / "bin" / program, *arguments], capture_output=True, text=True, check=False)

    def why_not(self):
        return json.loads((self.folder / "built/program/test.json").read_text())["why_not"]

    def controls(self):
        """What the fixture says, and what it keeps."""
        done = self.run("assay-judge", "cases", "--plan", self.plan)
        kept = self.folder / "built/cases.bin"
        return done, json.loads(kept.read_text()) if done.returncode == 0 else None

    def timing(self):
        return self.run("assay-judge", "timing", "--plan", self.plan)

    def judge(self, text, name="000.cpp", timed=False):
        """The record of the stage that decides."""
        self.samples += 1
        source = self.folder / f"candidates/{self.samples}" / name
        source.parent.mkdir(parents=True)
        source.write_text(text)
        prefix = self.folder / f"out/{self.samples:03}.program"
        common = ["--plan", self.plan, "--run", "try", "--sample", str(self.samples), "--prefix", prefix, "--source", source]
        self.run("assay-program", "candidate", *common)
        for stage in ("compile", "test", "bench")[:3 if timed else 2]:
            record = json.loads(self.run("assay-judge", stage, *common).stdout.splitlines()[0].removeprefix("assay: "))
            if record["verdict"] != "PASS":
                break
        return record

    def timed(self, text, doubt=None):
        """Its record at the stage bench. Again, twice at most, where it is INCONCLUSIVE for another reason than `doubt`: starts of programs
        take four times as long on a busy machine. One that the machine leaves undecided each time passes: its figures are there."""
        for _ in range(3):
            record = self.judge(text, timed=True)
            if record["verdict"] != "INCONCLUSIVE" or record.get("doubt") == doubt:
                break
        if record["verdict"] == "INCONCLUSIVE" and record.get("doubt") == "machine":
            record["verdict"] = "PASS"
        return record


class Checks:
    def __init__(self):
        self.faults = []

    def same(self, what, expected, got):
        if expected != got:
            self.faults.append(f"{what}: expected {expected!r}, got {got!r}")

    def says(self, what, expected, got):
        if expected not in got:
            self.faults.append(f"{what}: expected '{expected}' in {got!r}")


def vacuous(checks, make):
    problem = make("vacuous", test="int twice(int);\nint main() { twice(3); return 0; }\n")
    done, kept = problem.controls()
    checks.says("vacuous", "is vacuous: a solution that returns 0 at once passes, the reference with empty functions passes", done.stdout)
    checks.same("vacuous", True, kept["vacuous"])
    record = problem.judge("int twice(int) { return 0; }\n")
    checks.same("a sample of a vacuous problem without benchmark", ("PASS", True, True), (record["verdict"], record.get("vacuous"), record.get("no_bench")))
    done, kept = make("meaningful").controls()
    checks.same("meaningful", (False, ["PASS", "WRONG_RESULT", "WRONG_RESULT"]), (kept["vacuous"], [run["verdict"] for run in kept["runs"]]))


def broken(checks, make):
    done, _ = make("bad_reference", reference="int twice(int) { return 1; }\n").controls()
    checks.says("a reference that is wrong", "its own reference solution does not pass here: WRONG_RESULT", done.stderr)
    problem = make("bad_test", test="int twice(int);\nint main() { return undeclared; }\n")
    checks.says("a test that does not compile", "compiling its test fails: test/main.cpp:2", problem.why_not())
    checks.says("a candidate of it", "cannot be judged: compiling its test fails", problem.judge(REFERENCE)["detail"])
    checks.says("no function", "takes no function from the reference", make("none", test="int main() { return 0; }\n").why_not())
    checks.says("a shell", "needs a shell", make("shell", build_command=BUILD + " && true").why_not())
    problem = make("outside", build_command="g++ -O1 -o test.out solution.cpp test/*.cpp -MD -MF /tmp/kernelassay_outside")
    checks.says("a build that writes outside", "compiling its test fails", problem.why_not())
    checks.same("a build that writes outside", False, pathlib.Path("/tmp/kernelassay_outside").exists())


def references(checks, make):
    problem = make("references", reference="#include <cmath>\nint twice(int a) { return std::abs(2 * a); }\n", test="int twice(int);\nint main() { return twice(3) != 6; }\n",
                   source_references={"all": ["std::abs"]})
    checks.same("named", "PASS", problem.judge("#include <cmath>\nint twice(int a) { return std::abs(2 * a); }\n")["verdict"])
    checks.same("named by a macro", "PASS", problem.judge("#include <cmath>\n#define ABS std::abs\nint twice(int a) { return ABS(2 * a); }\n")["verdict"])
    for text in ("// std::abs\nint twice(int a) { return 2 * a; }\n", "#if 0\nstd::abs\n#endif\nint twice(int a) { return 2 * a; }\n",
                 "const char* said = \"std::abs\";\nint twice(int a) { return 2 * a; }\n", "#define X std::abs\nint twice(int a) { return 2 * a; }\n"):
        record = problem.judge(text)
        checks.same(text, ("POLICY", "names no std::abs, which the problem demands"), (record["verdict"], record["detail"]))


def separation(checks, make):
    problem = make("shared", context={"include/api.h": "int twice(int);\nvoid note(int);\ninline int calls = 0;\n"},
                   test="#include \"api.h\"\nint noted = 0;\nint hidden = 0;\nvoid note(int a) { noted += a; }\n"
                        "int main() { return twice(3) == 6 && noted == 3 && calls == 1 && hidden == 0 ? 0 : 1; }\n",
                   reference="#include \"api.h\"\nint twice(int a) { note(a); ++calls; return 2 * a; }\n")
    checks.same("what the context names is shared", "PASS", problem.judge("#include \"api.h\"\nint twice(int a) { ++calls; note(a); return a + a; }\n")["verdict"])
    record = problem.judge("#include \"api.h\"\nextern int hidden, noted;\nint twice(int a) { hidden = 0; noted = 3; calls = 1; return 2 * a; }\n")
    checks.same("what it does not name is not", "COMPILE_ERROR", record["verdict"])
    record = problem.judge("int once(int a) { return a; }\n")
    checks.same("a function that is missing", ("COMPILE_ERROR", "defines no twice"), (record["verdict"], record["detail"]))


def googletest(checks, make):
    test = "#include <gtest/gtest.h>\nint twice(int);\nTEST(Twice, OfThree) { EXPECT_EQ(twice(3), 6); }\n"
    problem = make("googletest", test=test, build_command="g++ -std=c++17 -o test.out solution.cpp test/*.cpp -lgtest -lgtest_main -pthread")
    checks.same("GoogleTest", "PASS", problem.judge(REFERENCE)["verdict"])
    checks.same("GoogleTest finds it", "WRONG_RESULT", problem.judge("int twice(int a) { return a; }\n")["verdict"])
    checks.same("GoogleTest and an exit", "POLICY", problem.judge("#include <cstdlib>\nint twice(int) { std::exit(0); }\n")["verdict"])


BENCHMARK = '''#include <chrono>
#include <cstring>
#include <thread>
int twice(int);
int main(int count, char** arguments) {
  if (count < 2) return twice(3) == 6 ? 0 : 1;
  for (int i = 0; i < 40; ++i)
    if (twice(i) != 2 * i) return 2;
  return 0;
}
'''
WAITS = "#include <chrono>\n#include <thread>\nint twice(int a) { std::this_thread::sleep_for(std::chrono::milliseconds(%d)); return 2 * a; }\n"


def benchmarks(checks, make):
    problem = make("timed", test=BENCHMARK, reference=WAITS % 20, benchmark_command="./test.out --perf", timeout_seconds=5.0)
    checks.says("not prepared", "do: run the fixture assay.timed.timing", problem.judge(WAITS % 10, timed=True)["detail"])
    done = problem.timing()
    checks.same("its reference", (0, "timed: the reference passes its benchmark\n"), (done.returncode, done.stdout))
    record = problem.timed(WAITS % 10)
    checks.same(f"twice as fast: {record['detail']}", ("bench", "PASS", "reference", "in-process", 10, 1),
                tuple(record.get(key) for key in ("stage", "verdict", "baseline", "trust", "launches", "pairs")))
    speedup = record.get("speedup") or {"estimate": 0, "low": 0, "high": 0}
    checks.same(f"its speedup {speedup}", True, 1.4 < speedup["estimate"] < 2.8 and speedup["low"] <= speedup["estimate"] <= speedup["high"])
    checks.same(f"its time {record.get('time_ns')}", True, 0.38e9 < record.get("time_ns", 0) < 0.8e9)
    record = problem.timed("int twice(int a) { return 2 * a; }\n", doubt="length")
    checks.same("too short to be timed", ("INCONCLUSIVE", "length"), (record["verdict"], record.get("doubt")))
    record = problem.timed("int twice(int a) { return a == 3 ? 6 : 0; }\n")
    checks.same("wrong in the benchmark", ("bench", "WRONG_RESULT"), (record["stage"], record["verdict"]))
    record = problem.timed("int twice(int a) { while (a == 7) continue; return 2 * a; }\n")
    checks.same("never returns in the benchmark", ("bench", "TIMEOUT"), (record["stage"], record["verdict"]))

    problem = make("fails", test=BENCHMARK, reference="int twice(int a) { return a < 4 ? 2 * a : 0; }\n", benchmark_command="./test.out --perf")
    checks.says("a reference that fails its benchmark", "its own reference solution does not pass its benchmark here: WRONG_RESULT: the benchmark ended with status 2",
                problem.timing().stderr)
    checks.same("a candidate of it", "HARNESS_ERROR", problem.judge(REFERENCE, timed=True)["verdict"])
    problem = make("other_program", test=BENCHMARK, benchmark_command="python3 bench.py")
    checks.says("a benchmark of another program", "its benchmark command does not just call ./test.out", problem.timing().stderr)


def ranges(checks, make):
    readable = json.loads((pathlib.Path(sys.argv[1]) / "kernelassay/program.toolchain.json").read_text())["readable"]
    folders = [folder for path in readable for folder in (pathlib.Path(path), pathlib.Path(path) / "include")]
    headers = next((folder for folder in folders if (folder / "nvtx3/nvToolsExt.h").exists()), None)
    if headers is None:
        return print("no headers of NVTX: ranges are not tried")
    test = '''#include <nvtx3/nvToolsExt.h>
#include <chrono>
#include <thread>
int twice(int);
int main(int count, char**) {
  if (count < 2) return twice(3) == 6 ? 0 : 1;
  nvtxRangePushA("warm-up");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  twice(0);
  nvtxRangePop();
  int wrong = 0;
  for (int i = 1; i < 11; ++i) {
    nvtxRangePushA("outer");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const nvtxRangeId_t id = nvtxRangeStartA("bench_region");
    nvtxRangePushA("bench_inner");
    wrong += twice(i) != 2 * i;
    nvtxRangePop();
    nvtxRangeEnd(id);
    nvtxRangePop();
  }
  return wrong;
}
'''
    build = f"g++ -O1 -I include -isystem {headers} -o test.out solution.cpp test/*.cpp"
    fields = dict(test=test, reference=WAITS % 20, build_command=build, benchmark_command="./test.out --perf")
    region = {"type": "region", "include": ["bench_*"], "exclude": ["*_inner"], "time_type": "wall_clock"}
    problem = make("ranges", timing_mode=region, **fields)
    checks.same("ranges", 0, problem.timing().returncode)
    record = problem.timed(WAITS % 5)
    speedup = (record.get("speedup") or {}).get("estimate", 0)
    checks.same(f"in ranges: {record['verdict']} {record['detail']} {speedup}", True, record["verdict"] == "PASS" and 2 < speedup < 8)
    checks.same(f"time of ranges {record.get('time_ns')}", True, 0.05e9 < record.get("time_ns", 0) < 0.2e9)
    # One that ends the test's ranges, were they its own: they are not.
    record = problem.timed("#define NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY 0\n#include <nvtx3/nvToolsExt.h>\n" + (WAITS % 20).replace("{ std", "{ nvtxRangePop(); nvtxRangePop(); std").replace(
        "return", "nvtxRangePushA(\"bench_region\"); nvtxRangePushA(\"bench_inner\"); return"))
    speedup = (record.get("speedup") or {}).get("estimate", 0)
    checks.same(f"ends the test's ranges: {record['verdict']} {record['detail']} {speedup}", True, record["verdict"] == "PASS" and 0.7 < speedup < 1.4)
    problem = make("no_ranges", timing_mode={"type": "region", "include": ["other"]}, **fields)
    checks.says("no range of that name", "enters no NVTX range that its timing_mode names", problem.timing().stderr)


def verbatim(checks, make):
    problem = make("verbatim", verbatim=True, build_command=BUILD + " && echo built")
    done, kept = problem.controls()
    checks.same("no controls", (0, False), (done.returncode, kept["vacuous"]))
    record = problem.judge(REFERENCE)
    checks.same("verbatim", ("PASS", "compute-eval"), (record["verdict"], record["profile"]))
    checks.same("verbatim, wrong", "WRONG_RESULT", problem.judge("int twice(int) { return 1; }\n")["verdict"])
    checks.same("verbatim, not C++", "COMPILE_ERROR", problem.judge("int twice(\n")["verdict"])
    record = problem.judge("#include <unistd.h>\n__attribute__((constructor)) static void leave() { _exit(0); }\nint twice(int) { return 0; }\n")
    checks.same("verbatim, by an exit: its own rule", "PASS", record["verdict"])


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        def make(*arguments, **fields):
            return Problem(pathlib.Path(sys.argv[1]), pathlib.Path(name), *arguments, **fields)
        at_a_time, parts = {"verdicts": (1, (vacuous, broken, references, separation, googletest, verbatim)),
                            "timings": (2, (benchmarks, ranges))}[sys.argv[2]]  # what is timed sleeps
        with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
            list(pool.map(lambda part: part(checks, make), parts))
    print("\n".join(checks.faults) if checks.faults else "all as expected")
    return 1 if checks.faults else 0


if __name__ == "__main__":
    sys.exit(main())
