#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A build tree that cannot be written. What would write to it says so; a candidate that is built already is judged all
the same: its verdict needs nothing of the tree but to be read."""
import subprocess

import judge
from judge import expect


def main(options, folder):
    tree = judge.Tree(options, folder).prepare()
    tree.expect_good()
    subprocess.run(["mount", "--bind", tree.build, tree.build], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", tree.build], check=True)
    for stage in ("cases", "timing", "machine", "build"):
        done = tree.run(stage)
        expect(done.code == 2 and str(tree.build) in done.text and "writable" in done.text, f"{stage}: {done.code}\n{done.text}")
    done = tree.run("test")
    expect(done.verdict == "PASS" and "is not kept" in done.text, f"test: {done.verdict}\n{done.text}")
    tree.expect_good()
    junit = tree.folder / "junit.xml"
    junit.write_text('<testsuite tests="1"><testcase name="mine.relu.cpp.000.test" status="run"><system-out>'
                     + done.text.partition("\n")[0] + "</system-out></testcase></testsuite>")
    reported = subprocess.run([options.assay, "report", junit, "--json", tree.build / "report.json"],
                              capture_output=True, text=True, check=False)
    expect(reported.returncode == 2 and "report.json cannot be written" in reported.stderr,
           f"report: {reported.returncode}\n{reported.stderr}")
    # Nobody has found out yet what this machine offers, and the answer cannot be kept.
    tree.write_plan(tree.plan_with("settings", sandbox=str(tree.build / "unknown.json")))
    tree.expect_good(("test",))


if __name__ == "__main__":
    judge.main(main, mounts=True)
