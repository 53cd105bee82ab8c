#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/ci/github.yml and .pre-commit-config.yaml say what is there: commands, their options, files, the version of clang-format.

usage: workflow.py <source folder> <assay>
"""
import pathlib
import re
import subprocess
import sys
import unittest

import yaml

SOURCE, ASSAY = pathlib.Path(sys.argv[1]), sys.argv[2]


def steps():
    workflow = yaml.safe_load((SOURCE / "docs/ci/github.yml").read_text())
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def help_of(command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


class Workflow(unittest.TestCase):
    def test_runs_what_is_there(self):
        commands = [step["run"] for step in steps() if "run" in step]
        self.assertTrue(any(command.startswith("scripts/evaluate") for command in commands))
        for command in commands:
            subprocess.run(["bash", "-n", "-c", command], check=True)
            words = command.split()
            known = None
            if words[0].startswith("scripts/"):
                known = help_of([SOURCE / words[0]])
            elif words[0] == "build/evaluate/bin/assay":
                known = help_of([ASSAY, words[1]])
            for option in (word for word in words if word.startswith("--")):
                self.assertIn(option, known, command)

    def test_keeps_what_evaluate_writes(self):
        kept = [path for step in steps() if step.get("uses", "").startswith("actions/upload-artifact@")
                for path in step["with"]["path"].split()]
        self.assertIn("build/evaluate/junit.xml", kept)
        written = (SOURCE / "scripts/evaluate").read_text()
        for path in kept:
            self.assertIn(path.removeprefix("build/evaluate/").replace("*", "").split(".")[-1], written, path)
        self.assertIn("build/evaluate/report.html", kept)


class PreCommit(unittest.TestCase):
    def setUp(self):
        self.configuration = yaml.safe_load((SOURCE / ".pre-commit-config.yaml").read_text())

    def test_formats_by_debians_version(self):
        revisions = {repository["repo"].split("/")[-1]: repository["rev"] for repository in self.configuration["repos"]}
        self.assertRegex(revisions["mirrors-clang-format"], r"^v14\.")

    def test_patterns_fit_files(self):
        files = [str(path.relative_to(SOURCE)) for folder in ("harness", "tests") for path in (SOURCE / folder).rglob("*.cpp")]
        hooks = {hook["id"]: hook for repository in self.configuration["repos"] for hook in repository["hooks"]}
        wanted = [name for name in files if re.search(hooks["clang-format"]["files"], name)]
        self.assertGreater(len(wanted), 200)
        for pattern in (self.configuration["exclude"], hooks["clang-format"]["exclude"]):
            self.assertTrue(any(re.search(pattern, name) for name in files), pattern)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
