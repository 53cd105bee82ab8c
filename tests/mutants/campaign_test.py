#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What campaign.py makes of verdicts, images and rows; no kernel is compiled here."""
import contextlib
import functools
import io
import pathlib
import tempfile
import types
import unittest

import campaign
from campaign import Failure, Mutant


def mutant(sample, mutated="a <= b"):
    return Mutant("relu", sample, "comparison", "relu", "7", "a < b", mutated)


def row(test="PASS", compiled="PASS"):
    return {"verdict": test or compiled, "compile_verdict": compiled, "test_verdict": test, "test_seed": "0x1",
            "detail": "why"}


def outcomes(judged, images, rows=()):
    mutants = [mutant(sample) for _, sample in judged if sample != "000"]
    return [r.outcome for r in campaign.classify(mutants, judged, images, {key: "reason" for key in rows})]


class Classify(unittest.TestCase):
    def test_outcomes(self):
        judged = {("relu", "000"): row(), ("relu", "001"): row("WRONG_RESULT"), ("relu", "002"): row(),
                  ("relu", "003"): row("", "COMPILE_ERROR"), ("relu", "004"): row(),
                  ("relu", "005"): row("WRONG_RESULT")}
        images = {("relu", f"00{sample}"): image for sample, image in zip((0, 1, 2, 4, 5), "abcab")}
        self.assertEqual(outcomes(judged, images), ["killed", "survivor", "no code", "same code", "same code"])

    def test_a_row_excuses_what_passes_and_nothing_else(self):
        images = {("relu", "000"): "a", ("relu", "001"): "b"}
        for verdict, expected in (("PASS", "equivalent"), ("WRONG_RESULT", "killed")):
            judged = {("relu", "000"): row(), ("relu", "001"): row(verdict)}
            self.assertEqual(outcomes(judged, images, [mutant("001").key()]), [expected])

    def test_no_score_without_the_reference(self):
        images = {("relu", "000"): "a", ("relu", "001"): "b"}
        for control in ({}, {("relu", "000"): row("WRONG_RESULT")}):
            with self.assertRaisesRegex(Failure, "relu: the reference itself does not pass"):
                campaign.classify([mutant("001")], control, images, {})

    def test_no_score_without_a_verdict(self):
        images = {("relu", "000"): "a", ("relu", "001"): "b"}
        with self.assertRaisesRegex(Failure, "relu 001: not judged: no record"):
            campaign.classify([mutant("001")], {("relu", "000"): row()}, images, {})
        with self.assertRaisesRegex(Failure, "relu 001: not judged: why"):
            judged = {("relu", "000"): row(), ("relu", "001"): row("HARNESS_ERROR")}
            campaign.classify([mutant("001")], judged, images, {})


class Rows(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "equivalent.tsv")
            path.write_text(text)
            return campaign.read_rows(path)

    def test_reads(self):
        self.assertEqual(self.read("# head\nrelu\tcomparison\ta\tb\twhy\n"), {("relu", "comparison", "a", "b"): "why"})

    def test_refuses(self):
        twice = "r\tc\ta\tb\twhy\nr\tc\ta\tb\twhy\n"
        for text in ("relu\tcomparison\ta\tb\n", "relu\tcomparison\ta\tb\t\n", twice):
            with self.assertRaisesRegex(Failure, r"equivalent.tsv:[12]: "):
                self.read(text)

    def test_stale(self):
        def result(outcome):
            return [campaign.Result(mutant("001"), outcome, "PASS")]
        rows = {mutant("001").key(): "reason"}
        for outcome, whole, stale in (("equivalent", True, 0), ("same code", True, 0), ("killed", False, 1),
                                      ("no code", True, 0)):
            self.assertEqual(len(campaign.stale_rows(rows, result(outcome), whole)), stale, outcome)
        undefined = {mutant("001").key(): "undefined behaviour: x"}
        self.assertEqual(len(campaign.stale_rows(undefined, result("killed"), True)), 0)
        self.assertEqual(len(campaign.stale_rows(rows, [], True)), 1)
        self.assertEqual(len(campaign.stale_rows(rows, [], False)), 0)


class Report(unittest.TestCase):
    def report(self, killed, survivors, stale=(), least_each=0, least=0.99):
        results = [campaign.Result(mutant(f"{i:03}"), "killed" if i < killed else "survivor", "WRONG_RESULT", "0x1")
                   for i in range(killed + survivors)]
        options = types.SimpleNamespace(least=least, least_each=least_each, equivalent=pathlib.Path("equivalent.tsv"),
                                        repro=functools.partial(campaign.repro, pathlib.Path("/w")))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = campaign.report(results, stale, options)
        return code, printed.getvalue()

    def test_exit_code(self):
        self.assertEqual(self.report(99, 1)[0], 0)
        self.assertEqual(self.report(98, 2)[0], 1)
        self.assertEqual(self.report(99, 1, [(("relu", "a", "b", "c"), "gone")])[0], 1)
        self.assertEqual(self.report(0, 0)[0], 1)
        self.assertEqual(self.report(5, 0, least_each=6)[0], 1)

    def test_of_reviewed_mutants_stale_rows_alone_count(self):
        self.assertEqual(self.report(0, 0, least=0)[0], 0)
        self.assertEqual(self.report(1, 0, [(("relu", "a", "b", "c"), "it is killed")], least=0)[0], 1)

    def test_names_survivors(self):
        printed = self.report(1, 1)[1]
        self.assertIn("  - a < b\n  + a <= b\n  repro: ASSAY_SEED=0x1 ctest --test-dir /w/build "
                      "-R '^mutants.relu.cpp.001.test$'", printed)
        self.assertIn("Mutants: 1 killed of 2 (50.0%", printed)


class Written(unittest.TestCase):
    def test_reviewed_mutants_and_the_reference_alone_are_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            for sample in ("000", "001", "002"):
                pathlib.Path(folder, f"{sample}.cpp").write_text(sample)
            campaign.keep_only(pathlib.Path(folder), {"000", "002"})
            self.assertEqual(sorted(file.name for file in pathlib.Path(folder).iterdir()), ["000.cpp", "002.cpp"])


class Image(unittest.TestCase):
    def test_a_program_is_its_own_image(self):
        image = campaign.loaded_image(pathlib.Path("/proc/self/exe").read_bytes())
        titles = [title for title, _, _ in image]
        self.assertIn(b".text", titles)
        self.assertIn(b".rodata", titles)
        self.assertNotIn(b".note.gnu.build-id", titles)
        self.assertNotIn(b".shstrtab", titles)


if __name__ == "__main__":
    unittest.main()
