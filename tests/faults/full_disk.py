#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The build tree lies on a file system with little or no room left: each stage succeeds or says so, nothing half-written
is taken for a result, no candidate is blamed, and with room again the next run gives the right verdicts."""
import pathlib
import subprocess

import judge
from judge import expect


def main(options, folder):
    (folder / "build").mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", folder / "build"], check=True)
    tree = judge.Tree(options, folder).prepare()
    tree.expect_good()
    for room in (0, 24 << 10):
        fill_but(tree.build, room)
        pathlib.Path(tree.build / "sandbox.json").unlink(missing_ok=True)
        fill_but(tree.build, room)
        written_or_refused(tree, "cases")
        written_or_refused(tree, "machine")
        verdict = tree.run("test").verdict
        expect(verdict in ("PASS", "HARNESS_ERROR"), f"test: {verdict} with {room} bytes left")
        verdict = tree.run("bench").verdict
        expect(verdict in (*judge.FAIR, "HARNESS_ERROR"), f"bench: {verdict} with {room} bytes left")
        report_or_refuse(tree)
        tree.run("build")
        tree.expect_whole_record()
        verdict = tree.run("compile").verdict
        expect(verdict in ("PASS", "HARNESS_ERROR"), f"compile: {verdict} with {room} bytes left")
        (tree.build / "filler").unlink()
        if verdict == "HARNESS_ERROR":
            record = pathlib.Path(f"{tree.prefix}.compile.json")
            expect(not record.exists(), "a build system would take the record for up to date")
        expect(tree.run("build").code == 0, "the next build must compile it")
        expect(not tree.leftovers(), f"left behind: {tree.leftovers()}")
        for stage in ("cases", "machine"):
            expect(tree.run(stage).code == 0, f"{stage} must pass with room again")
        tree.expect_good()


def fill_but(folder, room):
    """Leaves `room` bytes. Whole pages, as tmpfs counts them."""
    file = folder / "filler"
    with open(file, "ab") as filler:
        try:
            while True:
                filler.write(b"\0" * 65536)
                filler.flush()
        except OSError:
            pass
    with open(file, "r+b") as filler:
        filler.truncate(max(0, file.stat().st_size // 4096 * 4096 - room))


def written_or_refused(tree, stage):
    file = pathlib.Path(tree.plan["task"]["cases"] if stage == "cases" else tree.plan["settings"]["machine"])
    before = file.read_bytes()
    done = tree.run(stage)
    if done.code != 0:
        expect("cannot be written" in done.text and "space" in done.text, f"{stage}: no clear error\n{done.text}")
        expect(file.read_bytes() == before, f"{stage}: the old file is damaged")
    expect(sorted(p.name for p in file.parent.glob(file.name + ".*")) == [], f"{stage}: left something beside {file.name}")


def report_or_refuse(tree):
    junit = tree.folder / "junit.xml"
    junit.write_text('<testsuite tests="1"><testcase name="mine.relu.cpp.000.test" status="run"><system-out>'
                     + tree.run("test").text.replace("&", "&amp;").replace("<", "&lt;") + "</system-out></testcase></testsuite>")
    for kind in ("json", "csv", "html"):
        out = tree.build / f"report.{kind}"
        done = subprocess.run([tree.options.assay, "report", junit, f"--{kind}", out],
                              capture_output=True, text=True, check=False)
        if out.exists():
            expect(done.returncode in (0, 3) and out.stat().st_size > 0, f"report --{kind}: half a file\n{done.stderr}")
        else:
            expect(done.returncode == 2 and "cannot be written" in done.stderr,
                   f"report --{kind}: {done.returncode}\n{done.stderr}")
        out.unlink(missing_ok=True)
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([tree.options.assay, "report", junit],
                              stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        expect(done.returncode == 2 and "cannot be printed" in done.stderr, f"report to a full disk: {done.returncode}")
        expect(subprocess.run(tree.command("test"), stdout=full, stderr=subprocess.DEVNULL, check=False).returncode == 2,
               "test: a record that nobody can read must not count")


if __name__ == "__main__":
    judge.main(main, mounts=True)
