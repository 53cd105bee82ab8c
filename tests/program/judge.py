#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judge.py BUILD TASK FOLDER: has every file of FOLDER, a solution of the program task TASK, the verdict that its first lines say?

    // verdict: POLICY           (or several, of which one must be)
    // stage: compile            (the stage that says so; left out: test)
    // claims at most: 1.2       (of a stage bench: what the speedup may be claimed to exceed)
    // estimate at most: 0.8     (the speedup itself)

Where a file says bench, all are judged one after the other. The real programs of BUILD judge, with a test that may take ten seconds.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor


def tree(build, task, folder, seconds=10):
    """A plan of the task in `folder`, whose test may take so many seconds; None: as many as it says."""
    told = build / "kernelassay"
    plan = json.loads((told / task / "program.plan.json").read_text())
    declared = json.loads((told / task / "task.json").read_text())
    source = pathlib.Path(declared["task_yaml"])
    copy = folder / "tasks/api" / task
    shutil.copytree(source.parent, copy)
    spec = copy / source.name
    if seconds is not None:
        spec.write_text(re.sub(r"(?m)^timeout_seconds: .*", f"timeout_seconds: {seconds}.0", spec.read_text()))
    declared.update(task_yaml=str(spec), cases=str(folder / task / "cases.bin"))
    plan["task"] = declared
    file = folder / "program.plan.json"
    file.write_text(json.dumps(plan))
    return file


def judged(build, plan, folder, number, source, timed):
    """(stage, record, output) of the stage that decides."""
    prefix = folder / f"run/{number:03}.program"
    common = ["--plan", plan, "--run", "try", "--sample", str(number), "--prefix", str(prefix)]
    subprocess.run([build / "bin/assay-program", "candidate", *common, "--source", source], check=True, capture_output=True)
    for stage in ("compile", "test", "bench")[:3 if timed else 2]:
        done = subprocess.run([build / "bin/assay-judge", stage, *common, "--source", source], check=False, capture_output=True)
        line, _, rest = done.stdout.partition(b"\n")
        record = json.loads(line.decode("ascii").removeprefix("assay: "))
        if record["verdict"] != "PASS":
            break
    return stage, record, rest


def main():
    build, task, solutions = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plan = tree(build, task, folder)
        subprocess.run([build / "bin/assay-program", "test", "--plan", plan], check=True)
        sources = sorted(solutions.glob("*.c*"))
        timed = any("// stage: bench" in source.read_text(encoding="utf-8") for source in sources)
        if timed:
            subprocess.run([build / "bin/assay-judge", "timing", "--plan", plan], check=True)

        def judge(numbered):
            number, source = numbered
            text = source.read_text(encoding="utf-8")
            verdicts = re.search(r"^// verdict: ([\w ]+)$", text, re.MULTILINE)[1].split()
            stage = (re.search(r"^// stage: (\w+)$", text, re.MULTILINE) or [None, "test"])[1]
            got, record, output = judged(build, plan, folder, number, source, timed)
            if record["verdict"] not in verdicts or got != stage:
                return f"{source.name}: expected {' or '.join(verdicts)} in {stage}, got {record['verdict']} in {got}: {record['detail']}\n{output[:600]}"
            if record.get("trust") != "in-process":
                return f"{source.name}: its record does not say trust in-process"
            if b"\x1b" in output or b"<CTestMeasurement" in output or len(output) > 200_000:
                return f"{source.name}: what it prints gets out as it is, or all of it"
            for words, field in (("claims", "at_least"), ("estimate", "estimate")):
                if most := re.search(rf"^// {words} at most: ([\d.]+)$", text, re.MULTILINE):
                    if not record["speedup"][field] <= float(most[1]):
                        return f"{source.name}: {field} of its speedup exceeds {most[1]}: {record['speedup']}\n{output[:2000].decode()}"
            return ""

        with ThreadPoolExecutor(1 if timed else len(os.sched_getaffinity(0))) as pool:
            faults = [fault for fault in pool.map(judge, enumerate(sources)) if fault]
        left = [path for path in (folder / "run").iterdir() if ".tmp." in path.name]
        if left or not sources:
            faults.append(f"left behind: {left}, of {len(sources)} solutions")
    print("\n".join(faults) if faults else f"{len(sources)} solutions of {task}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
