#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wall clock jumps by ten years, to and fro, while the stages run; files have times of another century. No verdict and
no duration comes from the wall clock, and a source that looks older than its result is not taken for it."""
import os
import pathlib

import judge
from judge import expect


def main(options, folder):
    tree = judge.Tree(options, folder).prepare()
    tree.expect_good()
    jumping = dict(os.environ, LD_PRELOAD=str(options.clock))
    for stage in ("cases", "timing", "machine", "build"):
        done = tree.run(stage, env=jumping)
        expect(done.code == 0, f"{stage}: {done.code}\n{done.text}")
    for stage in ("compile", "test", "bench"):
        done = tree.run(stage, env=jumping)
        expect(done.verdict in judge.FAIR, f"{stage}: {done.verdict}\n{done.text}")
        for key in ("compile_ms", "time_ns", "baseline_ns"):
            expect(0 < done.record.get(key, 1) < 90e9, f"{stage}: {key} is {done.record.get(key)}")
    tree.expect_good()
    live_with_file_times(tree)


def live_with_file_times(tree):
    for year in (1971, 2100):
        when = (year - 1970) * 365.25 * 86400
        task = pathlib.Path(tree.plan["task"]["task_yaml"])
        for path in (tree.source, tree.plan_file, task, *task.parents[:2], *tree.build.glob("**/*")):
            os.utime(path, (when, when))
        tree.expect_good()
    # Another source, older than the result of the first.
    tree.source.write_text("this is no C++\n")
    os.utime(tree.source, (0, 0))
    done = tree.run("compile")
    expect(done.verdict == "HARNESS_ERROR" and "another source" in done.text, f"an older source: {done.verdict}\n{done.text}")
    tree.run("build")
    expect(tree.run("compile").verdict == "COMPILE_ERROR", "the next build must judge the new source")
    expect(tree.run("test").verdict == "HARNESS_ERROR", "there is nothing to test")


if __name__ == "__main__":
    judge.main(main, "--clock")
