#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Folders without permissions, and of somebody else, lie where a compilation keeps its own: what a driver or a killed run left.
The build goes on, as another user than root too; what cannot be removed is named."""
import os
import pathlib

import judge
from judge import expect

NOBODY = 65534


def become_nobody():
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def main(options, folder):
    for path in (folder, folder / "..") if os.geteuid() == 0 else ():
        if not os.access(path, os.X_OK):
            judge.skip(f"{path} is closed")
    tree = judge.Tree(options, folder)
    if os.geteuid() == 0:
        os.chmod(folder, 0o755)
        os.chown(tree.build, NOBODY, NOBODY)
    if tree.run("cases", preexec_fn=become_nobody).code != 0:
        judge.skip("the tools are closed to another user")
    cache, left = pathlib.Path(f"{tree.prefix}.cache"), pathlib.Path(f"{tree.prefix}.tmp.1")
    compiles(tree)
    for place in (cache, left):
        lock(place)
        compiles(tree)
        expect(not place.exists(), f"{place} stays")
    if os.geteuid() != 0:
        return
    (cache / "of root").mkdir(parents=True)
    (cache / "of root/file").touch()
    done = tree.run("build", preexec_fn=become_nobody)
    shown = tree.run("compile", preexec_fn=become_nobody)
    expect(done.code == 0, f"the build must go on: {done.code}\n{done.text}")
    expect(shown.verdict == "HARNESS_ERROR" and "cannot be removed" in shown.text, f"not named: {shown.text}")
    tree.run("build")  # as root
    tree.expect_good(("compile",))


def compiles(tree):
    done = tree.run("build", preexec_fn=become_nobody)
    expect(done.code == 0, f"compile: {done.code}\n{done.text}")
    shown = tree.run("compile", preexec_fn=become_nobody)
    expect(shown.verdict == "PASS", f"{shown.verdict}\n{done.text}{shown.text}")
    expect(not tree.leftovers(), f"left behind: {tree.leftovers()}")


def lock(place):
    """Folders in folders, none of which may be read, entered or written, and of the user who builds."""
    inner = place / "a/b"
    inner.mkdir(parents=True)
    (inner / "file").touch()
    for path in (inner / "file", inner, place / "a", place):
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0)


if __name__ == "__main__":
    judge.main(main)
