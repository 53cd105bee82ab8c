#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""export_test.py ASSAY BUILD: solutions and verdicts of the run `reference` in BUILD, as ComputeEval's own readers take them."""
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

KEYS = ["task_id", "passed", "skipped", "solution", "problem", "build_output", "test_output", "benchmark_output", "solution_metrics", "solution_time",
        "baseline_metrics", "baseline_time", "speedup"]


def skipped(assay, build, folder):
    """Faults of an export from a copy of `build` that has skipped a problem in Python, and has nothing else of its run."""
    tree, problem, samples = folder / "tree", folder / "problem", folder / "only-skipped/in_python"
    (tree / "kernelassay").mkdir(parents=True)
    for path in (build / "kernelassay").iterdir():
        os.symlink(path, tree / "kernelassay" / path.name) if path.name != "skipped.txt" else None
    problem.mkdir()
    (problem / "problem-spec.yaml").write_text('type: cuda_python\ntask_id: "cutile/1"\nprompt: x\ngroup: cutile\ntest_command: "python3 t.py"\n')
    samples.mkdir(parents=True)
    for name in ("000.py", "001.py", "notes"):
        (samples / name).write_text("pass\n")
    (tree / "kernelassay/skipped.txt").write_text(f"only-skipped\tin_python\t{problem}/problem-spec.yaml\t{samples}\tno Python here\nother\tx\t/none\t/none\tno\n")
    done = subprocess.run([assay, "export", "compute-eval", "graded", "--release", "our-1", "--run", "only-skipped", "--build", tree, "--out", folder],
                          capture_output=True, text=True, check=True)
    summary = json.loads(done.stdout)
    lines = [json.loads(line) for line in (folder / "our-1-only-skipped-graded-solutions.jsonl").read_text().splitlines()]
    got = summary["pass_at_k"], summary["metrics_by_group"], [(line["skipped"], line["passed"], line["test_output"]) for line in lines]
    expected = {"skipped": 1}, {"cutile": {"skipped": 1, "evaluated_problem_count": 0}}, [(True, False, "skipped: no Python here")] * 2
    return [] if got == expected else [f"a problem that is skipped: {got}"]


def main():
    assay, build = sys.argv[1:3]
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def export(what, *options):
            return subprocess.run([assay, "export", "compute-eval", what, "--release", "our-1", "--run", "reference", "--build", build, "--out", name, *options],
                                  capture_output=True, text=True, check=True).stdout
        export("solutions")
        file = folder / "our-1-reference-solutions.tar.gz"
        before = file.read_bytes()
        export("solutions")
        if file.read_bytes() != before:
            faults.append("the same solutions give other bytes")
        with tarfile.open(file) as tar:
            lines = tar.extractfile("solutions.jsonl").read().decode().splitlines()
        for line in map(json.loads, lines):
            if list(line) != ["schema_version", "type", "task_id", "files"] or [each["path"] for each in line["files"]] not in (["solution.cpp"], ["solution.cu"]):
                faults.append(f"a solution: {list(line)}")
        imported = folder / "run"
        subprocess.run([assay, "import", "compute-eval", file, "--out", imported], check=True, capture_output=True)
        if len(list(imported.glob("*/000/solution.c*"))) != len(lines):
            faults.append("solutions that are imported are not all there")
        summary = json.loads(export("graded", "--k", "1,2"))
        if list(summary) != ["pass_at_k", "total_problem_count", "evaluated_problem_count", "groups", "metrics_by_group"]:
            faults.append(f"summary: {summary}")
        counted = summary["evaluated_problem_count"]  # problems for a GPU are skipped where there is none
        if summary["total_problem_count"] != len(lines) or counted < 5 or "pass@2" in summary["pass_at_k"] or summary["pass_at_k"]["pass@1"] != 1:
            faults.append(f"of one sample each, all of which pass: {summary}")
        if summary["pass_at_k"]["skipped"] != len(lines) - counted:
            faults.append(f"skipped: {summary}")
        for line in map(json.loads, (folder / "our-1-reference-graded-solutions.jsonl").read_text().splitlines()):
            if list(line) != KEYS or line["passed"] == line["skipped"] or line["solution"]["datapack_name"] != file.name:
                faults.append(f"graded: {list(line)} {line['passed']} {line['skipped']}")
        faults += skipped(assay, pathlib.Path(build), folder)
    print("\n".join(faults) if faults else f"{len(lines)} solutions")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
