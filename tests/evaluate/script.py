#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/evaluate in a tree of its own, over stand-ins for cmake and assay: what it prints, what it hands on, how it ends.

usage: script.py <scripts/evaluate>
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CMAKE = """#!/bin/sh
echo "cmake $*" >> calls.txt
case $1 in
  --preset)
    mkdir -p build/evaluate/kernelassay
    printf 'mine.relu.cpp.000\\ta\\nmine.relu.cpp.001\\ta\\nother.relu.cpp.000\\ta\\nother.softmax.opencl.000\\tb\\n' > build/evaluate/kernelassay/candidates.txt
    echo "-- The CXX compiler is here"
    echo "-- backend opencl: off (no PoCL)"
    echo "kernel_candidates: skipped /x/y: unknown task 'y'" >&2 ;;
  --build)
    echo "[1/2] Building CXX object a.o"
    if [ -e broken ]; then echo "FAILED: b.o"; echo "b.cpp:1: error: no"; exit 1; fi
    echo "[2/2] Linking"
    mkdir -p build/evaluate/bin
    cp assay build/evaluate/bin/assay ;;
esac
"""
ASSAY = """#!/bin/sh
echo "assay $*" >> calls.txt
case $1 in
  evaluate) echo "judged  8 tests"; exit "$(cat evaluate_exit 2> /dev/null || echo 0)" ;;
  report) echo "the leaderboard"; exit "$(cat report_exit 2> /dev/null || echo 0)" ;;
esac
"""


def expect(condition, message):
    if not condition:
        sys.exit(f"script: {message}")


class Copy:
    def __init__(self, script, folder):
        self.folder = folder
        for path in ("scripts", "generated", "bin", "dev"):
            (folder / path).mkdir()
        (folder / "tasks/suites").mkdir(parents=True)
        (folder / "tasks/suites/theirs.yaml").write_text("title: Theirs\nprofile: npueval\n")
        (folder / "tasks/suites/ours.yaml").write_text("title: Ours\n")
        text = pathlib.Path(script).read_text()
        expect("(/dev/nvidia[0-9]*)" in text, "scripts/evaluate looks for GPUs elsewhere")
        (folder / "scripts/evaluate").write_text(text.replace("(/dev/nvidia", f"({folder}/dev/nvidia"))
        (folder / "scripts/evaluate").chmod(0o755)
        for name, text in (("bin/cmake", CMAKE), ("assay", ASSAY)):
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)

    def run(self, *arguments, code=0):
        (self.folder / "calls.txt").write_text("")
        environment = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")
        done = subprocess.run([self.folder / "scripts/evaluate", "--no-install", *arguments], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        expect(done.returncode == code, f"{arguments}: expected exit code {code}, got {done.returncode}\n{done.stdout}")
        return done.stdout

    @property
    def calls(self):
        return (self.folder / "calls.txt").read_text()


def check(copy):
    text = copy.run("--task", "rleu", code=2)
    expect("--task rleu: no candidate has it. known: relu softmax" in text, text)
    expect("--build" not in copy.calls, f"an unknown name is told before the build\n{copy.calls}")

    text = copy.run("--task", "relu", "--run", "mine", "--backend", "cpp", "--again", "--jobs", "3", "--effort", "standard", "--", "-L", "^a$")
    expect("-DKERNELASSAY_EFFORT=standard" in copy.calls and "-DKERNELASSAY_REFERENCES=core" in copy.calls, copy.calls)
    expect("assay evaluate --build build/evaluate --jobs 3 --task relu --run mine --backend cpp --again -- -L ^a$\n" in copy.calls, copy.calls)
    expect("assay report build/evaluate --brief " in copy.calls, copy.calls)
    expect(" --target harness/all mine.relu.candidates\n" in copy.calls, f"what is chosen is built, and the tools\n{copy.calls}")
    for part in ("kernel_candidates: skipped /x/y: unknown task 'y'", "-- backend opencl: off (no PoCL)", "judged  8 tests", "the leaderboard"):
        expect(part in text, f"expected: {part}\ngot:\n{text}")
    expect("-DKERNELASSAY_CUDA_RESOURCES=\n" in copy.calls, copy.calls)
    for part in ("compiler is here", "Building", "Linking", "failed in step"):
        expect(part not in text, f"not expected: {part}\ngot:\n{text}")
    copy.run("--task", "relu")
    expect(" --target harness/all mine.relu.candidates other.relu.candidates\n" in copy.calls, copy.calls)
    copy.run("--task", "rleu")
    expect(" --target harness/all\n" in copy.calls, f"assay tells a wrong name, without a build of all\n{copy.calls}")
    copy.run("--suite", "npueval", "--run", "reference")
    expect("--target" not in copy.calls, f"the candidates of a suite are built with all others\n{copy.calls}")
    expect("-DKERNELASSAY_REFERENCES=ON" in copy.calls, copy.calls)
    copy.run("--suite", "theirs", "--as-published")
    expect("-DKERNELASSAY_SHAPES=theirs -DKERNELASSAY_PROFILE=npueval " in copy.calls, copy.calls)
    for arguments in (("--as-published",), ("--suite", "theirs", "--suite", "ours", "--as-published"),
                      ("--suite", "theirs", "--shapes", "gpu", "--as-published")):
        expect("--as-published needs one --suite, and no --shapes" in copy.run(*arguments, code=2), copy.calls)
    for suite in ("ours", "nobodys"):
        text = copy.run("--suite", suite, "--as-published", code=2)
        expect(f"--as-published: tasks/suites/{suite}.yaml names no profile" in text and copy.calls == "", text)
    copy.run("--suite", "theirs")
    expect("-DKERNELASSAY_SHAPES=cpu -DKERNELASSAY_PROFILE= " in copy.calls, f"the next call judges by our own rules\n{copy.calls}")
    copy.run("--candidates", str(copy.folder / "dev"))
    expect("-DKERNELASSAY_REFERENCES=CANDIDATES" in copy.calls, f"of one's own folder no other task is judged\n{copy.calls}")
    copy.run()
    expect("-DKERNELASSAY_REFERENCES=core" in copy.calls, f"the suite core is what is judged where nothing is said\n{copy.calls}")
    text = copy.run("--verbose")
    expect("Building CXX object" in text and "--brief" not in copy.calls and "--verbose --" in copy.calls, text + copy.calls)

    for name in ("nvidiactl", "nvidia0", "nvidia1"):
        (copy.folder / "dev" / name).write_text("")
    copy.run("--", "-L", "^a$")
    spec = copy.folder / "build/evaluate/gpus.json"
    expect(json.loads(spec.read_text())["local"] == [{"gpus": [{"id": "0"}, {"id": "1"}]}], spec.read_text())
    expect("-DKERNELASSAY_CUDA_RESOURCES=gpus:1\n" in copy.calls and f"-- --resource-spec-file {spec} -L ^a$\n" in copy.calls, copy.calls)

    (copy.folder / "evaluate_exit").write_text("3")
    (copy.folder / "report_exit").write_text("3")
    text = copy.run(code=3)
    expect("the leaderboard" in text and "failed in step: report" in text, text)
    (copy.folder / "evaluate_exit").write_text("2")
    text = copy.run(code=2)
    expect("the leaderboard" not in text and "failed in step: judge" in text, text)

    (copy.folder / "broken").write_text("")
    text = copy.run(code=1)
    expect("FAILED: b.o\nb.cpp:1: error: no\n" in text and "all of it is in build/evaluate/logs/build.log" in text, text)
    expect("Building" not in text and "failed in step: build (exit code 1)" in text and "assay" not in copy.calls, text + copy.calls)

    for arguments, said in ((("--frobnicate",), "unknown argument '--frobnicate'"), (("--jobs",), "--jobs needs a value"), (("--task",), "--task needs a value"),
                            (("--candidates", "nowhere"), "no such folder: nowhere")):
        text = copy.run(*arguments, code=2)
        expect(said in text and copy.calls == "", text)
    expect("--backend" in copy.run("--help"), "usage names --backend")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        check(Copy(sys.argv[1], pathlib.Path(folder)))
    print("scripts/evaluate: good")


if __name__ == "__main__":
    main()
