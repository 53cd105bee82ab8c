#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay_wire.py: its layouts are the compiler's, and a box in Python answers a judge.

usage: wire_test.py LAYOUT     the program of layout.cpp
"""
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import assay_wire as wire
from judge import Judge

BOX = """
import os, sys, assay_wire
worker = assay_wire.Worker()
if sys.argv[1] == "unready":
    worker.fail_to_load("there is no such library")
worker.arrive()

class Reversed:
    def __init__(self):
        self.sets = {}

    def upload(self):
        memory, at, size, _ = worker.buffers()[0]
        self.kept = bytes(memory[at:at + size])

    def kernel(self):
        if sys.argv[1] == "fails":
            raise ValueError("not today")
        self.kept = self.kept[::-1] + bytes([worker.command.dims[0]])

    def download(self):
        memory, at, size, is_output = worker.buffers()[1]
        assert is_output
        memory[at:at + size] = self.kept

    def stow(self, number):
        self.upload()
        self.sets[number] = self.kept

    def batch(self, sets, runs_kernel):
        for number in range(sets if runs_kernel else 0):
            self.kept = self.sets[number]
            self.kernel()
            self.sets[number] = self.kept
        return [1000.4 + number for number in range(sets)]

    def fetch(self, number):
        self.kept = self.sets[number]
        self.download()

box = Reversed()
worker.serve(box, box if sys.argv[1] == "batches" else None)
"""


class Wire(unittest.TestCase):
    def test_layouts_are_those_of_the_header(self):
        checked = 0
        for line in subprocess.run([LAYOUT], capture_output=True, text=True, check=True).stdout.splitlines():
            kind, name, value = line.split()
            if kind == "constant":
                self.assertEqual(getattr(wire, name), int(value), line)
            elif kind == "size":
                self.assertEqual(ctypes.sizeof(getattr(wire, name)), int(value), line)
            else:
                self.assertEqual(getattr(getattr(wire, kind), name).offset, int(value), line)
            checked += 1
        fields = sum(not name.startswith("_") for each in (wire.Command, wire.Buffer, wire.Status) for name, _ in each._fields_)
        self.assertGreater(checked, fields)

    def judge(self, how, **more):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        box = pathlib.Path(folder.name) / "box.py"
        box.write_text(BOX)
        judge = Judge([str(box), how], [bytes(range(100))], [101], dims=[7], **more)
        self.addCleanup(judge.end)
        return judge

    def test_a_box_runs_calls(self):
        for spin in (0, 1):
            with self.subTest(spin=spin):
                judge = self.judge("works", spin=spin)
                self.assertTrue(judge.load())
                for kind in (wire.UPLOAD, wire.EMPTY, wire.KERNEL, wire.DOWNLOAD):
                    self.assertTrue(judge.call(kind), kind)
                self.assertEqual(judge.output(0), bytes(range(99, -1, -1)) + b"\x07")

    def test_a_box_sees_what_is_written_once_it_runs(self):
        judge = self.judge("works")
        self.assertTrue(judge.load())
        memory, at, size = judge.places[0]
        memory[at:at + size] = bytes(range(100, 200))
        for kind in (wire.UPLOAD, wire.KERNEL, wire.DOWNLOAD):
            self.assertTrue(judge.call(kind), kind)
        self.assertEqual(judge.output(0), bytes(range(199, 99, -1)) + b"\x07")

    def test_a_box_makes_batches(self):
        judge = self.judge("batches")
        self.assertTrue(judge.load())
        self.assertEqual(judge.status.batches, wire.MOST_SETS)
        for judge.command.set in (0, 1):
            self.assertTrue(judge.call(wire.STOW))
        judge.command.set = 2
        self.assertTrue(judge.call(wire.EMPTY_BATCH))
        self.assertTrue(judge.call(wire.BATCH))
        self.assertEqual(judge.status.set_ns[:3], [1000, 1001, 0])
        judge.command.set = 1
        self.assertTrue(judge.call(wire.FETCH))
        self.assertEqual(judge.output(0), bytes(range(99, -1, -1)) + b"\x07")
        self.assertEqual(self.judge("works").status.batches, 0)

    def test_what_cannot_be_loaded_says_why(self):
        judge = self.judge("unready")
        self.assertFalse(judge.load())
        self.assertEqual((judge.status.ready, judge.status.message), (wire.NOT_LOADED, b"there is no such library"))
        self.assertEqual(judge.process.wait(60), 4)

    def test_what_a_call_raises_is_told(self):
        judge = self.judge("fails")
        self.assertTrue(judge.load())
        self.assertFalse(judge.call(wire.KERNEL))
        self.assertEqual((judge.status.fault, judge.status.message), (wire.REFUSED, b"ValueError: not today"))

    def test_another_version_ends_it(self):
        judge = self.judge("works", version=wire.VERSION + 1)
        self.assertFalse(judge.load())
        self.assertEqual(judge.process.wait(60), 3)

    def test_without_a_judge_it_ends(self):
        ended = subprocess.run([sys.executable, "-c", "import assay_wire; assay_wire.Worker()"], close_fds=True,
                               env={**os.environ, "PYTHONPATH": os.environ["ASSAY_PYTHON"]}, stdin=subprocess.DEVNULL)
        self.assertEqual(ended.returncode, 3)


if __name__ == "__main__":
    LAYOUT = sys.argv.pop(1)
    unittest.main()
