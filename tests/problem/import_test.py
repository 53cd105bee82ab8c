#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""import_test.py ASSAY: does `assay import` take what another program packed, and nothing that such a program would not pack?

The packs are written by Python's tarfile, as the original's are: with a pax header before the second member.
"""
import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time


def problem(number, identity=None):
    identity = identity or f"CUDA/{number}"
    return {
        "type": "cuda_cpp", "schema_version": 2, "task_id": identity, "date": "2026-01-01", "prompt": "Write fünf.\n  Then \"six\".\n" * 40,
        "metadata": {"difficulty": "medium", "tags": ["t"], "releases": ["2026-1"], "do_not_release": False}, "group": "cuda-runtime",
        "context_files": [{"path": "include/a.h", "content": "int a();\n"}],
        "test_files": [{"path": "test/test_main.cu", "content": "int main() { return 0; }\n" * 200}],
        "source_references": {"any": None, "all": ["cudaMalloc"]}, "build_command": "nvcc -o test.out solution.cu test/*.cu",
        "test_command": "./test.out", "benchmark_command": "./test.out --perf", "timing_mode": {"type": "process"}, "min_cuda_toolkit": "12.0",
        "compute_capability": None, "requires_datacenter_gpu": False, "timeout_seconds": 60.0,
        "baseline_solution": {"schema_version": 1, "type": "file", "task_id": identity,
                              "files": [{"path": "solution.cu", "content": "int a() { return 1; }\n"}]},
    }


def lines_of(problems):
    return [(json.dumps(each, ensure_ascii=False, separators=(",", ":")) + "\n").encode() for each in problems]


def pack(path, problems, change=lambda tar: None):
    lines = lines_of(problems)
    hashes = {each["task_id"]: hashlib.md5(line).hexdigest() for each, line in zip(problems, lines)}
    metadata = {"release": "x", "total_count": len(lines), "created_at": "2026-01-01T00:00:00", "description": None, "task_id_hashes": hashes}
    with tarfile.open(path, "w:gz") as tar:
        for name, content in (("metadata.json", json.dumps(metadata).encode()), ("problems.jsonl", b"".join(lines))):
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), 1.5
            tar.addfile(member, io.BytesIO(content))
        change(tar)


def add(name, kind=tarfile.REGTYPE, link=""):
    def change(tar):
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, link
        tar.addfile(member)
    return change


def main():
    assay, faults = sys.argv[1], []

    def run(expected, said, *arguments):
        done = subprocess.run([assay, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != expected or said not in done.stdout + done.stderr:
            faults.append(f"{arguments}: expected {expected} and '{said}', got {done.returncode}: {done.stdout}{done.stderr}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = folder / "x-problems.tar.gz"
        pack(whole, [problem(i) for i in range(566)])
        start = time.monotonic()
        run(0, "566 problems, 566 hashes right", "import", "compute-eval", str(whole), "--out", str(folder / "tasks"))
        seconds = time.monotonic() - start
        print(f"566 problems in {seconds:.1f} s")
        if len(list((folder / "tasks/cuda_runtime").iterdir())) != 566:
            faults.append("not every problem has a folder")
        run(2, "is there already", "import", "compute-eval", str(whole), "--out", str(folder / "tasks"))
        run(0, "566 problems", "import", "compute-eval", str(folder / "tasks"), "--out", str(folder / "again"))
        if subprocess.run(["diff", "-r", folder / "tasks", folder / "again"], check=False).returncode != 0:
            faults.append("folders that are imported become other folders")
        for place, source in (("first", folder / "tasks"), ("second", folder / "first/y-problems.tar.gz"), ("third", folder / "from_pack")):
            run(0, "566 problems", "export", "compute-eval", "problems", str(source), "--release", "y", "--out", str(folder / place))
            if place == "second":
                run(0, "566 hashes right", "import", "compute-eval", str(folder / "second/y-problems.tar.gz"), "--out", str(folder / "from_pack"))
        packs = [(folder / place / "y-problems.tar.gz").read_bytes() for place in ("first", "second", "third")]
        if len(set(packs)) != 1:
            faults.append("export, import and export give other bytes")
        with tarfile.open(folder / "first/y-problems.tar.gz") as tar, tarfile.open(whole) as original:
            if [member.name for member in tar] != ["metadata.json", "problems.jsonl"]:
                faults.append("a pack has other members than metadata.json and problems.jsonl")
            if tar.extractfile("problems.jsonl").read() != original.extractfile("problems.jsonl").read():
                faults.append("lines that are imported and exported are other lines")
            metadata = json.load(tar.extractfile("metadata.json"))
            if list(metadata) != ["release", "total_count", "created_at", "description", "task_id_hashes"] or metadata["created_at"] != "2026-01-01T00:00:00":
                faults.append(f"metadata: {metadata}")
        for label, said, change in (
                ("climbs", "climbs", add("../evil")), ("absolute", "is absolute", add("/tmp/evil")),
                ("link", "is a link", add("metadata.json", tarfile.SYMTYPE, "/etc/passwd")),
                ("hard", "is a link", add("problems.jsonl", tarfile.LNKTYPE, "metadata.json")),
                ("more", "is unknown", add("more.txt")), ("twice", "is there twice", add("metadata.json"))):
            bad = folder / f"{label}.tar.gz"
            pack(bad, [problem(1)], change)
            run(2, said, "import", "compute-eval", str(bad), "--out", str(folder / label))
            if (folder / label).exists() or (folder / f"{label}.half").exists():
                faults.append(f"{label}: something is left")
        escape = problem(1)
        escape["test_files"][0]["path"] = "../../evil"
        pack(folder / "bad.tar.gz", [escape])
        run(2, "climbs", "import", "compute-eval", str(folder / "bad.tar.gz"), "--out", str(folder / "bad"))
        pack(folder / "ids.tar.gz", [problem(1, "A b/1"), problem(2, "a_b 1")])
        run(2, "would both be the task a_b_1", "import", "compute-eval", str(folder / "ids.tar.gz"), "--out", str(folder / "ids"))
        pack(folder / "hostile.tar.gz", [problem(1, "\x1b[31m<CTestMeasurement>")])
        done = subprocess.run([assay, "import", "compute-eval", str(folder / "hostile.tar.gz"), "--out", str(folder / "h")],
                              capture_output=True, check=False)
        if b"\x1b" in done.stdout + done.stderr:
            faults.append("an id reaches the terminal as it is")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
