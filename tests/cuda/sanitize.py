#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the CUDA references under a tool of compute-sanitizer: each on the cases of its task, in a process of its own (sanitized.cpp).

usage: sanitize.py --tool memcheck|racecheck|initcheck --sanitizer PROGRAM --program sanitized --build BUILD [--task NAME ...]
                   [--jobs N] [--most-bytes N] [--seconds N]

Prints one line for each reference that the tool complains of, with its first complaint, and a sum. Exit status: 0; 1 where it complains,
or a reference ends otherwise; 77, "not run", where there is no compute-sanitizer, no GPU, or no reference that was built.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

NOT_RUN = 77


def built_references(build, tasks):
    """(task, prefix of what was built) of each."""
    found = []
    for line in (build / "kernelassay" / "candidates.txt").read_text().splitlines():
        run, task, backend, sample = line.split("\t")[0].split(".")
        prefix = build / "kernelassay" / task / run / f"{sample}.{backend}"
        if run == "reference" and backend == "cuda" and (not tasks or task in tasks) and prefix.with_name(prefix.name + ".so").exists():
            found.append((task, prefix))
    return found


def complaint_of(printed):
    """The first line of the first report, empty where there is none."""
    for line in printed.splitlines():
        if line.startswith("failed: "):
            return line
        if re.match(r"=+ (?!COMPUTE-SANITIZER|ERROR SUMMARY: 0|RACECHECK SUMMARY: 0)\S", line):
            return line.lstrip("= ")
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, choices=["memcheck", "racecheck", "initcheck"])
    parser.add_argument("--sanitizer", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--task", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    parser.add_argument("--most-bytes", type=int, default=1 << 20, help="of a case; larger ones are left out")
    parser.add_argument("--seconds", type=int, default=300, help="for a reference")
    options = parser.parse_args()
    references = built_references(options.build, options.task)
    for missing, what in ((not os.path.exists(options.sanitizer), "no compute-sanitizer"), (not os.path.exists("/dev/nvidiactl"), "no GPU"),
                          (not references, "no CUDA reference is built")):
        if missing:
            print(f"not run: {what}")
            return NOT_RUN

    def run(reference):
        task, prefix = reference
        # Calls that fail are the program's own, which asks the driver how many parameters a kernel has.
        command = [options.sanitizer, "--tool", options.tool, *(["--report-api-errors", "no"] if options.tool == "memcheck" else []),
                   "--error-exitcode", "9", options.program, str(options.build / "kernelassay" / task / "cuda.plan.json"), str(prefix), str(options.most_bytes)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.seconds)
        except subprocess.TimeoutExpired:
            return task, 0, f"not over after {options.seconds} s"
        calls = re.search(r"^called (\d+) cases$", done.stdout, re.MULTILINE)
        complaint = complaint_of(done.stdout) if done.returncode != 0 else ""
        if done.returncode != 0 and not complaint:
            complaint = f"exit status {done.returncode}: {(done.stdout + done.stderr).strip()[-200:]}"
        return task, int(calls[1]) if calls else 0, complaint

    all_calls = bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for task, calls, complaint in pool.map(run, references):
            all_calls += calls
            bad += bool(complaint)
            if complaint or calls == 0:
                print(f"{task}: {complaint or f'no case of at most {options.most_bytes} bytes'}", flush=True)
    print(f"{options.tool}: {len(references)} references, {all_calls} cases, {bad} with a complaint")
    return 1 if bad or all_calls == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
