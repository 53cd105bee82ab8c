#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Version, man page and bash completion against what --help says.

usage: command_line.py <assay> <version>
"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ASSAY, VERSION = sys.argv[1:3]


def said(*arguments):
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True, check=True).stdout


def commands():
    """The subcommands, by the help of the program."""
    return re.findall(r"^  ([a-z][a-z-]*) ", said("--help").split("Subcommands:")[1], re.MULTILINE)


def options(command):
    return re.findall(r"^  (?:-[a-z],)?(--[a-z][a-z-]*)", said(command, "--help"), re.MULTILINE)


def completed(*words):
    """What bash offers for the last of the words."""
    script = said("describe", "bash") + 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf "%s\\n" "${COMPREPLY[@]}"\n'
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(script)
        file.flush()
        return subprocess.run(["bash", "-u", file.name, *words], capture_output=True, text=True, check=True).stdout.split()


class Version(unittest.TestCase):
    def test_is_the_projects(self):
        self.assertEqual(said("--version"), f"assay {VERSION}\n")


class Manual(unittest.TestCase):
    def setUp(self):
        self.page = said("describe", "man").replace("\\-", "-").replace("\\&", "")

    def test_has_all_commands_and_options(self):
        self.assertGreater(len(commands()), 8)
        for command in commands():
            section = re.search(rf"^\.SS assay {command}\n(.*?)(?=^\.S[SH] )", self.page, re.MULTILINE | re.DOTALL)
            self.assertTrue(section, command)
            for option in options(command):
                self.assertIn(option, section[1], command)

    def test_is_roff_without_a_warning(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        made = subprocess.run(["groff", "-man", "-ww", "-z"], input=said("describe", "man"), capture_output=True, text=True, check=True)
        self.assertEqual(made.stderr, "")

    def test_has_no_line_that_is_a_request_by_accident(self):
        known = r"^\.(\\\"|TH|SH|SS|TP|PP|B|BI|I|nf|fi)( |$)"
        for line in said("describe", "man").splitlines():
            if line.startswith((".", "'")):
                self.assertRegex(line, known)


class Completion(unittest.TestCase):
    def test_offers_commands(self):
        self.assertEqual(completed("assay", "rep"), ["report"])
        self.assertEqual(sorted(set(commands()) - set(completed("assay", ""))), [])
        self.assertIn("--version", completed("assay", "--v"))

    def test_offers_a_commands_options(self):
        for command in commands():
            self.assertEqual(sorted(set(options(command)) - set(completed("assay", command, "--"))), [], command)
        self.assertEqual(completed("assay", "report", "a.xml", "--htm"), ["--html"])

    def test_leaves_files_to_bash(self):
        self.assertEqual(completed("assay", "report", "a"), [])
        self.assertEqual(completed("assay", "nothing", "--"), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
