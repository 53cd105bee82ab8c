#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A project of one task and its candidates is evaluated, again, after a new candidate, after a change, and by hand with ctest."""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

RIGHT = """#include "kernel.h"
void scale_by_two(const float* x, float* y, int64_t N) { for (int64_t i = 0; i < N; ++i) y[i] = 2 * x[i]; }
"""


class Tree:
    """The consumer project of tests/cmake, with the tools of this build."""

    def __init__(self, options):
        self.source, self.build = options.work / "source", options.work / "build"
        self.assay = options.build / "bin/assay"
        prefix = options.work / "installed"
        shutil.rmtree(options.work, ignore_errors=True)
        must(options.cmake, "--install", options.build, "--prefix", prefix)
        shutil.copytree(options.source / "tests/cmake/consumer", self.source)
        task = self.source / "tasks/math/scale_by_two/task.yaml"
        expect_in(task.read_text(), "{N: 1048576}")
        task.write_text(task.read_text().replace("{N: 1048576}", "{N: 65536}"))  # two canaries launch it up to forty times each
        self.assay = prefix / "bin/assay"
        must(options.cmake, "-G", "Ninja", "-S", self.source, "-B", self.build, f"-DCMAKE_CXX_COMPILER={options.cxx}",
             f"-DKernelAssay_ROOT={prefix}", "-DKERNELASSAY_EFFORT=quick")
        self.cmake = options.cmake
        self.make()

    def make(self):
        must(self.cmake, "--build", self.build)

    def write(self, name, text):
        (self.source / "generated/mine/scale_by_two" / name).write_text(text)
        self.make()

    def call(self, command, *arguments, code=0):
        """What `assay <command>` prints."""
        words = [self.assay, command, *arguments]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        expect(done.returncode == code, f"{words}: expected exit code {code}, got {done.returncode}\n{done.stdout}")
        return re.sub("  +", "  ", done.stdout)  # columns

    def evaluate(self, *arguments, code=0):
        return self.call("evaluate", "--build", self.build, *arguments, code=code)

    def counts(self):
        """Verdicts by run, as `assay report` counts them."""
        file = self.build / "report.json"
        self.call("report", self.build, "--json", file)
        report = json.loads(file.read_text())
        return {group["run"]: group["verdicts"] for group in report["groups"] if group["by"] == "run"}, report["kept"]


def must(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    expect(done.returncode == 0, f"{words}\n{done.stdout}")


def expect(condition, message):
    if not condition:
        sys.exit(f"kept_results: {message}")


def expect_in(text, *parts):
    for part in parts:
        expect(part in text, f"expected: {part}\ngot:\n{text}")


def expect_not_in(text, *parts):
    for part in parts:
        expect(part not in text, f"not expected: {part}\ngot:\n{text}")


NO_BENCH = ("--", "-LE", "^stage:bench$")


def first_evaluation(tree):
    expect_in(tree.call("report", tree.build, code=2), "no result is kept")
    text = tree.evaluate(*NO_BENCH)
    expect_in(text, "mine.scale_by_two.cpp.001  WRONG_RESULT", "mine.scale_by_two.cpp.002  COMPILE_ERROR", "PASS 3  COMPILE_ERROR 1  WRONG_RESULT 1")
    expect(len(text.splitlines()) < 8, f"more than a line for each failure:\n{text}")
    counts, kept = tree.counts()
    expect(counts["mine"] == {"PASS": 2, "WRONG_RESULT": 1, "COMPILE_ERROR": 1}, counts)
    expect(counts["reference"] == {"PASS": 1} and kept["stale"] == [] and kept["gone"] == [], (counts, kept))


def nothing_new(tree):
    text = tree.evaluate(*NO_BENCH)
    expect_in(text, "10 of 10 tests have a result that is not older")
    expect_not_in(text, "judged", "WRONG_RESULT")


def a_new_candidate_alone_is_judged(tree):
    tree.write("004.cpp", RIGHT)
    text = tree.evaluate(*NO_BENCH)
    expect_in(text, "10 of 12 tests", "judged  3 tests in", "PASS 1\n")  # with the task's cases
    expect_in(tree.evaluate("--again", "--run", "reference", *NO_BENCH), "judged  3 tests in", "PASS 1\n")
    counts, _ = tree.counts()
    expect(counts["mine"]["PASS"] == 3 and counts["reference"] == {"PASS": 1}, counts)


def a_change_makes_stale(tree):
    (tree.source / "generated/mine/scale_by_two/004.cpp").write_text(RIGHT.replace("2 *", "3 *"))
    _, kept = tree.counts()
    expect(kept["stale"] == [{"sample": "mine.scale_by_two.cpp.004", "changed": "source"}], kept)
    expect_in(tree.call("report", tree.build), "stale  1 sample judged before a change: mine.scale_by_two.cpp.004 (source)")
    tree.make()
    expect_in(tree.evaluate(*NO_BENCH), "mine.scale_by_two.cpp.004  WRONG_RESULT")
    counts, kept = tree.counts()
    expect(counts["mine"]["WRONG_RESULT"] == 2 and kept["stale"] == [], (counts, kept))
    page = tree.call("show", "mine.scale_by_two.cpp.004", "--build", tree.build)
    expect_in(page, "mine.scale_by_two.cpp.004  WRONG_RESULT", "compile  PASS", "repro: ASSAY_SEED=0x", "y[i] = 3 * x[i]")


def a_subset_by_hand_loses_nothing(tree):
    subprocess.run(["ctest", "--test-dir", tree.build, "-L", "^run:reference$", "-LE", "^stage:bench$"], stdout=subprocess.DEVNULL, check=True)
    counts, _ = tree.counts()
    expect(sum(counts["mine"].values()) == 5 and counts["reference"] == {"PASS": 1}, counts)


def a_timing_is_kept_with_its_canaries(tree):
    text = tree.evaluate("--run", "mine")
    expect_in(text, "judged  6 tests in")  # two timings, cases, machine, two canaries
    file = tree.build / "report.json"
    tree.call("report", tree.build, "--json", file)
    report = json.loads(file.read_text())
    timed = [sample["verdict"] for sample in report["samples"] if sample["sample"] in (0, 3) and sample["run"] == "mine"]
    expect(set(timed) <= {"PASS", "INCONCLUSIVE"}, timed)
    expect([canary["when"] for canary in report["canaries"]] == ["before", "after"], report["canaries"])
    expect_in(tree.call("show", "mine.scale_by_two.cpp.000", "--build", tree.build), "Timing, with 95 % intervals")
    expect_not_in(tree.evaluate("--run", "mine"), "judged  ")


def a_candidate_that_is_gone_is_left_out(tree):
    (tree.source / "generated/mine/scale_by_two/004.cpp").unlink()
    tree.make()
    counts, kept = tree.counts()
    expect(sum(counts["mine"].values()) == 4 and kept["gone"] == ["mine.scale_by_two.cpp.004"], (counts, kept))
    expect_in(tree.call("report", tree.build, "--gone"), "1 candidate is no longer there, and counted: mine.scale_by_two.cpp.004")
    expect_in(tree.call("show", "mine.scale_by_two.cpp.004", "--build", tree.build), "the candidate is no longer there")


def names_that_are_not_there(tree):
    """One line each, with what was meant."""
    for arguments, expected in (
            (("prompt", "scale_by_too", "--build", tree.build), "'scale_by_too' is no task. did you mean: scale_by_two?"),
            (("prompt", "scale_by_two", "--backend", "ccp", "--build", tree.build), "has no backend 'ccp'. did you mean: cpp?"),
            (("oracle", "scale_by_too", "--out", "/nowhere", "--build", tree.build), "'scale_by_too' is no task. did you mean: scale_by_two?"),
            (("evaluate", "--build", tree.build, "--task", "scale_by"), "--task scale_by: no candidate has it. did you mean: scale_by_two?"),
            (("evaluate", "--build", tree.build, "--run", "mime"), "--run mime: no candidate has it. did you mean: mine?"),
            (("evaluate", "--build", tree.build, "--suite", "consumers"), "--suite consumers: no candidate has it. did you mean: consumer?"),
            (("evaluate", "--build", tree.build, "--backend", "cp"), "--backend cp: no candidate has it. did you mean: cpp?"),
            (("evaluate", "--build", tree.build, "--", "-R", "nothing"), "no candidate's test is chosen"),
            (("evaluate", "--build", tree.source), "is no build folder of KernelAssay. do: name a configured one"),
            (("show", "mine.scale_by_two.cpp.013", "--build", tree.build), "has no such candidate. did you mean: mine.scale_by_two.cpp.003?"),
            (("report", tree.build, "--run", "mime"), "--run mime: no such run. did you mean: mine?"),
            (("report", tree.build, "--compare", "mime,reference"), "--compare: no run 'mime'. did you mean: mine?"),
            (("report", tree.build, "--fail-under", "pas@1=1"), "unknown metric 'pas@1'. did you mean: pass@1?")):
        text = tree.call(*arguments, code=2)
        expect_in(text, expected)
        expect(len(text.splitlines()) == 1, f"more than a line:\n{text}")


def an_older_version(tree):
    """Its build tree, its plan, and its results: one line each."""
    plan = tree.build / "kernelassay/scale_by_two/cpp.plan.json"
    text = plan.read_text()
    plan.write_text(json.dumps({"task": "scale_by_two"}))
    said = tree.evaluate(code=2)
    expect_in(said, "cpp.plan.json", "do: configure again")
    expect(len(said.splitlines()) == 1, said)
    plan.write_text(text)
    (tree.build / "kernelassay/candidates.txt").unlink()
    for command in (("evaluate", "--build", tree.build), ("report", tree.build), ("show", "x", "--build", tree.build)):
        said = tree.call(*command, code=2)
        expect_in(said, "was configured by another version of KernelAssay. do: configure and build it again")
        expect(len(said.splitlines()) == 1, said)


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "work"):
        parser.add_argument(f"--{name}", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--cmake", required=True)
    tree = Tree(parser.parse_args())
    for step in (first_evaluation, nothing_new, a_new_candidate_alone_is_judged, a_change_makes_stale, a_subset_by_hand_loses_nothing,
                 a_timing_is_kept_with_its_canaries, a_candidate_that_is_gone_is_left_out, names_that_are_not_there, an_older_version):
        step(tree)
        print(f"{step.__name__}: good", flush=True)


if __name__ == "__main__":
    main()
