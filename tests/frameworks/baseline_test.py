#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A framework as the baseline, by the judge's own stages: what a record says of it, and where it gives way to the one that is built in.

usage: baseline_test.py ASSAY PLAN SOURCE PROGRAM     PLAN: of relu in C++; SOURCE: a right kernel; PROGRAM: harness/python/<name>_baseline.py
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest


MODEL = "|\n  relu (float[N, C] x) => (float[N, C] y) { %s }"


# Results of lines that move no data: they have memory of their own, in the order of their elements.
VIEWS = """
import torch, torch_baseline
line = torch_baseline.Line.__new__(torch_baseline.Line)
x = torch.arange(20.0).reshape(4, 5)
for view in (torch.t, torch.ravel, lambda x: x, lambda x: x[1:], lambda x: x.expand(3, 4, 5), lambda x: (x[0], x * 2)):
    wanted = view(x)
    for got, each in zip(line.evaluate(lambda x: view(x), {"x": x}), wanted if isinstance(wanted, tuple) else [wanted]):
        assert torch.equal(got, each) and got.is_contiguous() and torch_baseline.start_of(got) != torch_baseline.start_of(x), view
"""


class Baseline:
    @classmethod
    def setUpClass(cls):
        command = [sys.executable, "-B", PROGRAM]
        told = subprocess.run([*command, "--describe"], check=True, capture_output=True, text=True).stdout
        cls.framework = json.loads(told) | {"command": command}
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.machine = pathlib.Path(temporary.name) / "machine.json"
        cls.judge("machine", "--out", cls.machine)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def bench(self, **values):
        """The record of a bench of SOURCE, and what was printed, where the task has these lines; None: it lacks the line."""
        plan = json.loads(PLAN.read_text())
        task = json.loads(pathlib.Path(plan["task"]).read_text())
        settings = json.loads(pathlib.Path(plan["settings"]).read_text())
        yaml = self.folder / "activation/relu/task.yaml"
        yaml.parent.mkdir(parents=True)
        text = pathlib.Path(task["task_yaml"]).read_text()
        text, found = re.subn(r"cpu: \{.*\}\}", "cpu: {dims: {N: 64, C: 4096}}", text)  # soon drawn
        self.assertEqual(found, 1)
        for key, value in values.items():
            line = "" if value is None else f"{key}: {value}\n"
            text, found = re.subn(rf"^{key}: (.|\n )*\n", lambda _, line=line: line, text, flags=re.M)
            self.assertEqual(found, 1)
        yaml.write_text(text)
        task.update(task_yaml=str(yaml), cases=str(self.folder / "cases.bin"))
        settings.update(machine=str(self.machine), effort="quick", framework=self.framework)
        plan.update(task=task, settings=settings)
        file = self.folder / "plan.json"
        file.write_text(json.dumps(plan))
        candidate = ["--plan", file, "--run", "r", "--sample", "000", "--prefix", self.folder / "kernel"]
        self.judge("timing", "--plan", file)
        subprocess.run([f"{ASSAY}-compile", *candidate, "--source", SOURCE], check=True)
        said = self.judge("bench", *candidate, check=False).stdout
        return json.loads(re.search(r"^assay: (\{.*)$", said, re.M)[1]), said

    @staticmethod
    def judge(*arguments, check=True):
        return subprocess.run([f"{ASSAY}-judge", *arguments], check=check, capture_output=True, text=True)

    def require_timed(self, record):
        self.assertIn(record["verdict"], ("PASS", "INCONCLUSIVE"), record)
        self.assertGreater(record["baseline_ns"], 0)

    def require_built_in(self, record):
        self.require_timed(record)
        self.assertEqual((record["baseline"], record["threads"]["baseline"]), ("eigen", 1))

    def test_a_record_names_it(self):
        record, _ = self.bench()
        self.require_timed(record)
        self.assertEqual(record["baseline"], self.framework["name"])
        self.assertRegex(record["baseline"], r"^[a-z-]+ [0-9]+\.[0-9]")


class OfALine(Baseline, unittest.TestCase):
    def test_a_line_that_it_cannot_evaluate_is_no_fault_of_the_candidate(self):
        record, _ = self.bench(torch="torch.no_such_function(x)")
        self.assertEqual(record["verdict"], "HARNESS_ERROR")
        self.assertIn("no_such_function", record["detail"])

    def test_a_line_of_another_shape_is_told(self):
        record, _ = self.bench(torch="torch.relu(x)[0]")
        self.assertEqual(record["verdict"], "HARNESS_ERROR", record)
        self.assertIn("the shape", record["detail"])

    def test_where_it_lacks_a_kernel_the_built_in_one_is_taken(self):
        record, said = self.bench(torch="torch.bitwise_and(x, x)")
        self.require_built_in(record)
        self.assertRegex(said, r"the baseline is eigen: PyTorch: .*not implemented for")

    def test_a_view_is_written(self):
        subprocess.run([sys.executable, "-B", "-c", VIEWS, "--describe"], check=True, cwd=pathlib.Path(PROGRAM).parent)

    def test_without_a_line_the_built_in_one_is_taken(self):
        self.require_built_in(self.bench(torch=None)[0])


class OfAModel(Baseline, unittest.TestCase):
    def test_the_line_is_not_needed(self):
        record, _ = self.bench(model=MODEL % "zero = Constant <value = float {0.0}> () y = Max (x, zero)", torch=None)
        self.require_timed(record)
        self.assertEqual(record["baseline"], self.framework["name"])

    def test_where_it_lacks_an_operator_the_built_in_one_is_taken(self):
        record, said = self.bench(model=MODEL % "none = Constant <value = float {0.0}> () short = Cast <to = 16> (none) same = Mul (short, short) zero = Cast <to = 1> (same) y = Max (x, zero)")
        self.require_built_in(record)
        self.assertRegex(said, r"the baseline is eigen: .*\w")


if __name__ == "__main__":
    ASSAY, PLAN, SOURCE, PROGRAM = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    del sys.argv[1:]
    told = subprocess.run([sys.executable, "-B", PROGRAM, "--describe"], capture_output=True, text=True)
    if "torch.compile, which came with" in told.stderr:
        print(told.stderr)
        sys.exit(77)
    unittest.main(defaultTest=["OfALine"] if json.loads(told.stdout)["reads"] == "torch" else ["OfAModel"])
