#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_test.py ASSAY: compare_torch.py accepts a torch line that agrees, and names what differs where one does not."""
import contextlib
import io
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "harness/admission"))
import compare_torch as compare  # noqa: E402
import torch  # noqa: E402

ASSAY = None
TASK = """summary: Where a row is largest, a tenth of the row, and which elements are positive.
difficulty: 1
model: |
  peak (float[N, C] x) => (int64[N] at, float[N, C] tenth, bool[N, C] positive)
  {
    tenth_part = Constant <value = float {0.1}> ()
    zero = Constant <value = float {0.0}> ()
    at = ArgMax <axis = 1, keepdims = 0> (x)
    tenth = Mul(x, tenth_part)
    positive = Greater(x, zero)
  }
torch: (torch.argmax(x, dim=1), x * 0.1, x > 0)
dims: {N: [2, 4], C: [2, 64]}
inputs: {x: {init: uniform, low: 1, high: 2}}
replace_cases: the test counts on these
cases:
  - {name: plain,   dims: {N: 3, C: 5}}
  - {name: special, dims: {N: 4, C: 60}, inputs: {x: special_finite}}
timing: {cpu: {dims: {N: 8, C: 128}}}
"""


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.task = self.root / "index/peak/task.yaml"
        self.task.parent.mkdir(parents=True)
        self.task.write_text(TASK)
        self.out = self.root / "out"
        subprocess.run([ASSAY, "oracle", self.task, "--out", self.out, "--seed", "0x2a"], check=True,
                       stdout=subprocess.DEVNULL)

    def test_anything_agrees_where_nothing_is_known(self):
        expected, scale = torch.tensor([1.0, 2.0]).double(), torch.tensor([float("inf"), 1.0]).double()
        self.assertIsNone(compare.disagreement(expected, scale, torch.tensor([float("nan"), 2.0]).double()))
        self.assertIn("at [1]", compare.disagreement(expected, scale, torch.tensor([1.0, float("nan")]).double()))

    def test_reads_integers_without_a_sign(self):
        for kind, numbers in (("H", [0, 1, 32768, 65535]), ("I", [0, 1, 2**31, 2**32 - 1])):
            header = f"{{'descr': '<u{struct.calcsize(kind)}', 'fortran_order': False, 'shape': (4,), }}\n".encode()
            file = self.root / "numbers.npy"
            file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<4{kind}", *numbers))
            self.assertEqual(compare.read_npy(file).tolist(), numbers)

    def test_skips_a_task_without_a_torch_line(self):
        self.task.write_text("".join(line for line in TASK.splitlines(True) if not line.startswith("torch:")))
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(compare.main(ASSAY, self.task), compare.NO_LINE)
        self.assertIn("no torch line", printed.getvalue())

    def check(self):
        """(whether the texts agree, what was printed)"""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            agree = compare.check(self.out)
        return agree, printed.getvalue()

    def refused(self, *expected):
        agree, printed = self.check()
        self.assertFalse(agree, printed)
        for text in expected:
            self.assertIn(text, printed)

    def change_line(self, line):
        index = json.loads((self.out / "index.json").read_text())
        index["torch"] = line
        (self.out / "index.json").write_text(json.dumps(index))

    def change_last(self, file, form, change):
        """Applies `change` to the last element of a .npy file; `form` is its struct format."""
        path = self.out / file
        raw = path.read_bytes()
        at = len(raw) - struct.calcsize(form)
        path.write_bytes(raw[:at] + struct.pack(form, change(*struct.unpack(form, raw[at:]))))

    def test_agreement(self):
        agree, printed = self.check()
        self.assertTrue(agree, printed)
        self.assertIn("2 cases, 517 elements, 0 disagreements, seed 0x2387f2cd3cc15b8ce98f1e30621faf256ea6e5d992025d5e6b9ac309114a021c", printed)

    def test_dimensions_are_integers(self):
        self.change_line("(torch.argmax(x, dim=1), x.reshape(N * C).reshape(N, C) * 0.1, x > 0)")
        agree, printed = self.check()
        self.assertTrue(agree, printed)
        self.change_line("(torch.argmax(x, dim=1), x.reshape(N, D) * 0.1, x > 0)")
        self.refused("the torch line raises NameError: name 'D' is not defined")

    def test_the_program(self):
        def run():
            command = [sys.executable, compare.__file__, ASSAY, self.task]
            return subprocess.run(command, capture_output=True).returncode

        self.assertEqual(run(), 0)
        self.task.write_text(TASK.replace("x * 0.1", "x * 0.2"))
        self.assertEqual(run(), 1)
        self.task.write_text(TASK.replace("model", "modell"))
        self.assertEqual(run(), 2)

    def test_admission(self):
        def admit():
            return subprocess.run([ASSAY, "admit", self.task, "--torch", sys.executable], capture_output=True, text=True).stdout

        self.assertIn("torch line: says what the model says", admit())
        self.task.write_text(TASK.replace("x * 0.1", "x * 0.2"))
        printed = admit()
        self.assertIn("peak: refused", printed)
        self.assertIn("torch line: says something else than the model", printed)

    def test_a_real_that_is_off(self):
        self.change_last("plain/tenth.npy", "<d", lambda x: x * (1 + 1e-14))
        self.assertTrue(self.check()[0])
        self.change_last("plain/tenth.npy", "<d", lambda x: x * (1 + 1e-11))
        self.refused("case plain {'C': 5, 'N': 3}, output tenth: at [2, 4] the model gives 0.1", ", the torch line 0.1",
                     "1 of 15 elements differ", "tenth = Mul(x, tenth_part)", "x * 0.1", "ASSAY_SEED=0x")

    def test_not_a_number(self):
        self.change_last("plain/tenth.npy", "<d", lambda _: float("nan"))
        self.refused("at [2, 4] the model gives nan")

    def test_infinity(self):
        self.change_last("plain/tenth.npy", "<d", lambda _: float("inf"))
        self.change_last("plain/tenth.scale.npy", "<d", lambda _: float("inf"))
        self.refused("at [2, 4] the model gives inf")

    def test_an_integer_that_is_off_by_one(self):
        self.change_last("plain/at.npy", "<q", lambda i: i + 1)
        self.refused("output at: at [2] the model gives ")

    def test_a_boolean(self):
        self.change_last("special/positive.npy", "<?", lambda b: not b)
        self.refused("case special {'C': 60, 'N': 4}, output positive: at [3, 59] the model gives ")

    def test_a_literal_is_the_nearest_float32(self):
        self.change_line("(torch.argmax(x, dim=1), x / 10, x > 0)")
        self.refused("output tenth")

    def test_a_shape(self):
        self.change_line("(torch.argmax(x, dim=1, keepdim=True), x * 0.1, x > 0)")
        self.refused("the model gives integer of shape [3], the torch line integer of shape [3, 1]")

    def test_a_type(self):
        self.change_line("(torch.argmax(x, dim=1), x * 0.1, (x > 0).double())")
        self.refused("the model gives bool of shape [3, 5], the torch line torch.float64 of shape [3, 5]")

    def test_an_output_too_few(self):
        self.change_line("(torch.argmax(x, dim=1), x * 0.1)")
        self.refused("the model has 3 outputs, the torch line 2")

    def test_types_that_do_not_mix(self):
        self.change_line("(torch.argmax(x, dim=1), torch.eye(N).double() @ x * 0.1, x > 0)")
        self.refused("case plain: in the inputs' own types the torch line raises RuntimeError: ")

    def test_a_shape_that_depends_on_the_type(self):
        self.change_line("(torch.argmax(x, dim=1), x * 0.1, (x > 0) if x.dtype == torch.float64 else (x > 0).flatten())")
        self.refused("case special: in the inputs' own types the torch line gives the shapes [[4], [4, 60], [240]], in float64 [[4], [4, 60], [4, 60]]")

    def test_a_pytorch_without_reals_of_8_bits(self):
        self.change_line("x.to(torch.float8_e4m3fn)")
        kept = dict(compare.FLOAT8)
        self.addCleanup(compare.FLOAT8.update, kept)
        for known, lacks in ((torch.int8, False), (None, True)):
            compare.FLOAT8.update(dict.fromkeys(compare.FLOAT8, known))
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(compare.lacks_float8(self.out), lacks)

    def test_a_line_that_raises(self):
        self.change_line("torch.no_such_function(x)")
        self.refused("case plain: the torch line raises AttributeError: ")


if __name__ == "__main__":
    ASSAY = sys.argv.pop(1)
    unittest.main()
