#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of the build tree that are cut off, overwritten or gone. What cannot be made again on the spot is HARNESS_ERROR or
a clear error; what a box would have run or been compared with is never wrong unnoticed."""
import pathlib
import random

import judge
from judge import expect

STAGES = {"cases.bin": ("test",), "timing.bin": ("bench",), "machine.json": ("bench",), "compile.json": ("compile", "test", "bench"),
          "library": ("test", "bench"), "plan.json": ("build", "compile", "test", "bench", "cases", "timing")}


def main(options, folder):
    tree = judge.Tree(options, folder).prepare()
    tree.expect_good()
    files = {"cases.bin": tree.build / "cases.bin", "timing.bin": tree.build / "timing.bin", "machine.json": tree.build / "machine.json",
             "compile.json": pathlib.Path(f"{tree.prefix}.compile.json"), "library": pathlib.Path(f"{tree.prefix}.so"),
             "plan.json": tree.plan_file}
    for name, file in files.items():
        whole = file.read_bytes()
        for what, bytes_ in damages(name, whole, options.times or 4):
            write(file, bytes_)
            stage = random.choice(STAGES[name])
            done = tree.run(stage)
            expect(done.verdict == "HARNESS_ERROR", f"{name}, {what}: {stage} says {done.verdict}\n{done.text}")
            expect("json.exception" not in done.text or "do: " in done.text, f"{name}, {what}: unclear\n{done.text}")
        write(file, whole)
    tree.expect_good()
    remake_what_the_sandbox_offers(tree)
    compile_anew(tree, files)


def damages(name, whole, times):
    """Names and contents of damaged versions."""
    text = name in ("plan.json", "machine.json", "compile.json")
    last = len(whole.rstrip(b"\n")) if text else len(whole)
    yield "gone", None
    yield "empty", b""
    yield "rubbish", bytes(random.Random(1).randrange(256) for _ in range(5000))
    if text:
        yield "null", b"null\n"
        yield "a list", b"[]\n"
    else:  # a text is JSON or it is not; in binary every bit counts
        for _ in range(times):
            at = random.randrange(len(whole))
            yield f"bit {at} flipped", whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1:]
        yield "zeros at the end", whole[:-64] + bytes(64)
    for _ in range(times):
        length = random.randrange(1, last)
        yield f"cut at {length}", whole[:length]


def write(file, bytes_):
    file.unlink(missing_ok=True)
    if bytes_ is not None:
        file.write_bytes(bytes_)


def remake_what_the_sandbox_offers(tree):
    file = tree.build / "sandbox.json"
    whole = file.read_bytes()
    for damaged in (None, b"", b"rubbish", b"null", whole[:len(whole) // 2]):
        write(file, damaged)
        tree.expect_good(("test",))
        expect(file.read_bytes() == whole, "sandbox.json must be made again")


def compile_anew(tree, files):
    """What a damaged result asks the user to do must help."""
    for name in ("compile.json", "library"):
        write(files[name], b"rubbish")
        files["compile.json"].unlink()
        expect(tree.run("build").code == 0, "the next build must compile it")
        tree.expect_good(("compile", "test"))


if __name__ == "__main__":
    judge.main(main)
