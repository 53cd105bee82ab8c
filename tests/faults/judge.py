# SPDX-License-Identifier: Apache-2.0
"""A folder with a plan, a small task and candidates, and the real programs over it: what every test of a fault needs."""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import plan  # noqa: E402

SKIPPED = 77
CANDIDATE = """#include "kernel.h"
void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
"""
TASK = """summary: Rectified linear unit, element by element.
difficulty: 1
model: |
  relu (float[N, C] x) => (float[N, C] y)
  { y = Relu(x) }
dims: {N: [1, 4], C: [1, 256]}
timing:
  cpu: {dims: {N: 64, C: 4096}}
"""
FAIR = ("PASS", "INCONCLUSIVE")  # a busy machine may leave a timing undecided


class Fault(Exception):
    """KernelAssay did not hold."""


def expect(condition, message):
    if not condition:
        raise Fault(message)


class Done:
    """A program that has ended."""

    def __init__(self, code, text):
        self.code, self.text = code, text

    @property
    def record(self):
        line = self.text.partition("\n")[0]
        return json.loads(line[len("assay: "):]) if line.startswith("assay: {") else None

    @property
    def verdict(self):
        """The record's, or HARNESS_ERROR where there is none and the program says why: `assay report` takes it for that."""
        expect(self.code >= 0 and self.code not in (134, 139), f"ended by signal: {self.code}\n{self.text}")
        if self.record is None:
            expect(self.code not in (0, 1) and self.text.strip(), f"exit code {self.code}, no record, no reason\n{self.text}")
            return "HARNESS_ERROR"
        expected = {"PASS": 0, "HARNESS_ERROR": 3}.get(self.record["verdict"], 1)
        expect(self.code == expected, f"exit code {self.code} with {self.record['verdict']}\n{self.text}")
        expect(self.record["verdict"] != "HARNESS_ERROR" or self.record["detail"], "HARNESS_ERROR without a reason")
        return self.record["verdict"]


class Tree:
    """<folder>/build: what the tools write; <folder>/source: what they only read."""

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.build, self.source = self.folder / "build", self.folder / "source/generated/mine/relu/000.cpp"
        self.plan_file, self.prefix = self.folder / "source/plan.json", self.build / "mine/000.cpp"
        self.build.mkdir(exist_ok=True)
        self.source.parent.mkdir(parents=True)
        self.source.write_text(CANDIDATE)
        task = self.folder / "source/activation/relu/task.yaml"
        task.parent.mkdir(parents=True)
        task.write_text(TASK)
        whole = plan.load(options.plan)
        whole["task"].update(task_yaml=str(task), cases=str(self.build / "cases.bin"))
        whole["settings"].update(machine=str(self.build / "machine.json"), sandbox=str(self.build / "sandbox.json"), effort="quick",
                                 profile="", require_tier="")
        self.write_plan(whole)

    def write_plan(self, whole):
        self.plan = whole
        self.plan_file.write_text(json.dumps(whole))

    def plan_with(self, part, **members):
        """The plan with other members in one of its parts."""
        return {**self.plan, part: {**self.plan[part], **members}}

    def command(self, stage, source=None):
        assay = str(self.options.assay)
        judge = assay + "-judge"
        if stage in ("cases", "timing"):
            return [judge, stage, "--plan", str(self.plan_file), "--seed", "1"]
        if stage == "machine":
            return [judge, "machine", "--out", str(self.build / "machine.json")]
        common = ["--plan", str(self.plan_file), "--run", "mine", "--sample", "000", "--prefix", str(self.prefix)]
        if stage == "build":
            return [assay + "-compile", *common, "--source", str(source or self.source)]
        if stage == "compile":
            return [judge, stage, *common, "--source", str(source or self.source)]
        return [judge, stage, *common]

    def start(self, stage, source=None, **keywords):
        return subprocess.Popen(self.command(stage, source), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                **keywords)

    def run(self, stage, source=None, **keywords):
        return finish(self.start(stage, source, **keywords))

    def prepare(self):
        for stage in ("cases", "timing", "machine", "build"):
            done = self.run(stage)
            expect(done.code == 0, f"{stage}: exit code {done.code}\n{done.text}")
        return self

    def verdicts(self, stages=("compile", "test", "bench")):
        """What an undisturbed run says, INCONCLUSIVE taken for PASS."""
        return ["PASS" if verdict in FAIR else verdict for verdict in (self.run(stage).verdict for stage in stages)]

    def expect_good(self, stages=("compile", "test", "bench")):
        got = self.verdicts(stages)
        expect(set(got) == {"PASS"}, f"the next run must pass, got {dict(zip(stages, got))}")

    def expect_whole_record(self):
        """compile.json is absent, or complete and of the library beside it."""
        file = pathlib.Path(f"{self.prefix}.compile.json")
        if not file.exists():
            return
        stored = json.loads(file.read_text())
        expect(bool(stored["library"]) == pathlib.Path(f"{self.prefix}.so").exists(), "record and library contradict")

    def leftovers(self):
        return sorted(p.name for p in self.build.glob("**/*") if ".tmp." in p.name)

    def processes(self):
        """Pids of the processes that work in this folder, other than this one."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if state not in "ZX" and any(str(self.folder).encode() in word for word in words):
                found[int(entry.name)] = words[0].decode(errors="replace")
        return found

    def expect_nobody(self):
        for _ in range(500):
            left = self.processes()
            if not left:
                return
            time.sleep(0.02)
        raise Fault(f"processes are left behind: {left}")


def finish(process):
    text = process.communicate()[0].decode(errors="replace")
    return Done(process.returncode, text)


def shared_memory():
    return {p.name for p in pathlib.Path("/dev/shm").iterdir()} if pathlib.Path("/dev/shm").is_dir() else set()


def in_mount_namespace():
    """Runs this script again where it may mount; exits with SKIPPED where that is not permitted."""
    if os.environ.get("FAULTS_MAY_MOUNT") == "yes":
        return
    unshare = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    probe = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/tmp"]
    try:
        tried = subprocess.run(unshare + probe, capture_output=True, text=True, check=False)
    except OSError as error:
        skip(f"no mount namespace: {error}")
    if tried.returncode != 0:
        skip(f"no mount namespace: {tried.stderr.strip()}")
    os.execvpe(unshare[0], [*unshare, sys.executable, "-B", *sys.argv], dict(os.environ, FAULTS_MAY_MOUNT="yes"))


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def unmount_below(folder):
    points = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()]
    for point in reversed(points):
        if point.startswith(f"{folder}/"):
            subprocess.run(["umount", "--lazy", point], check=True)


def main(test, *arguments, mounts=False):
    """Parses the common options, makes a folder, runs test(options, folder); where it may mount, if it `mounts`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plan", type=pathlib.Path, required=True, help="plan of the task relu")
    parser.add_argument("--assay", type=pathlib.Path, required=True)
    parser.add_argument("--ctest", required=True)
    parser.add_argument("--ninja", default="ninja")
    parser.add_argument("--times", type=int, default=0, help="how often; 0: a few times")
    parser.add_argument("--seed", type=int, default=1)
    for argument in arguments:
        parser.add_argument(argument, type=pathlib.Path, required=True)
    options = parser.parse_args()
    if mounts:
        in_mount_namespace()
    random.seed(options.seed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = tempfile.mkdtemp(prefix="assay-faults-")
    try:
        test(options, pathlib.Path(folder))
    except Fault as fault:
        print(f"FAILED: {fault}\nseed {options.seed}")
        sys.exit(1)
    finally:
        if mounts:
            unmount_below(folder)
        shutil.rmtree(folder)
    print("held")
