#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The baseline `torch`, by the judge's own stages: what a record says of it, and where it gives way to the one that is built in.

usage: baseline_test.py ASSAY PLAN SOURCE PYTHON_FOLDER     PLAN: of relu in C++; SOURCE: a right kernel
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import torch

TORCH = {"name": f"torch {torch.__version__}", "readable": ["/proc/cpuinfo", "/sys/devices/system"], "cuda": False}


class Baseline(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def bench(self, line):
        """The record of a bench of SOURCE, where the task's torch line is `line`; None: it has none."""
        plan = json.loads(PLAN.read_text())
        task = json.loads(pathlib.Path(plan["task"]).read_text())
        settings = json.loads(pathlib.Path(plan["settings"]).read_text())
        yaml = self.folder / "activation/relu/task.yaml"
        yaml.parent.mkdir(parents=True)
        text, found = re.subn(r"^torch: .*\n", "" if line is None else f"torch: {line}\n", pathlib.Path(task["task_yaml"]).read_text(), flags=re.M)
        self.assertEqual(found, 1)
        yaml.write_text(text)
        task.update(task_yaml=str(yaml), cases=str(self.folder / "cases.bin"))
        paths = {*filter(None, sys.path), sys.prefix, sys.base_prefix, sys.executable} - {"/usr"}
        settings.update(machine=str(self.folder / "machine.json"), effort="quick",
                        torch={**TORCH, "command": [sys.executable, "-B", f"{PYTHON_FOLDER}/torch_baseline.py"],
                               "readable": [*TORCH["readable"], PYTHON_FOLDER, *paths]})
        plan.update(task=task, settings=settings)
        file = self.folder / "plan.json"
        file.write_text(json.dumps(plan))
        candidate = ["--plan", file, "--run", "r", "--sample", "000", "--prefix", self.folder / "kernel"]
        self.judge("machine", "--out", self.folder / "machine.json")
        self.judge("timing", "--plan", file)
        subprocess.run([f"{ASSAY}-compile", *candidate, "--source", SOURCE], check=True)
        said = self.judge("bench", *candidate, check=False).stdout
        return json.loads(re.search(r"^assay: (\{.*)$", said, re.M)[1])

    @staticmethod
    def judge(*arguments, check=True):
        return subprocess.run([f"{ASSAY}-judge", *arguments], check=check, capture_output=True, text=True)

    def test_a_record_names_it(self):
        record = self.bench("torch.relu(x)")
        self.assertIn(record["verdict"], ("PASS", "INCONCLUSIVE"), record)
        self.assertEqual(record["baseline"], TORCH["name"])
        self.assertGreater(record["baseline_ns"], 0)

    def test_a_line_that_it_cannot_evaluate_is_no_fault_of_the_candidate(self):
        record = self.bench("torch.no_such_function(x)")
        self.assertEqual(record["verdict"], "HARNESS_ERROR")
        self.assertIn("no_such_function", record["detail"])

    def test_a_line_of_another_shape_is_told(self):
        record = self.bench("torch.relu(x)[0]")
        self.assertEqual(record["verdict"], "HARNESS_ERROR", record)
        self.assertIn("the shape", record["detail"])

    def test_without_a_line_the_built_in_one_is_taken(self):
        record = self.bench(None)
        self.assertIn(record["verdict"], ("PASS", "INCONCLUSIVE"), record)
        self.assertEqual((record["baseline"], record["threads"]["baseline"]), ("eigen", 1))


if __name__ == "__main__":
    ASSAY, PLAN, SOURCE, PYTHON_FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    del sys.argv[1:]
    unittest.main()
