#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lock.py over a small tree; nothing is compiled or judged here."""
import contextlib
import io
import pathlib
import tempfile
import types
import unittest

import lock
from lock import Failure, Row

FILES = {
    "tasks/activation/relu/task.yaml": "summary: x\nmodel: |\n  relu (float[N] x) => (float[N] y)\n  { y = Relu(x) }\n",
    "tasks/math/sum/task.yaml": "summary: x\nmodel: |\n  sum (float[N] x) => (float y)\n  { y = local.Total <axis = 0> (x) }\ninputs:\n  x: offsets\n  p: {init: 'page_table'}\n",
    "tasks/math/special.yaml": "summary: x\nmodel: |\n  {task} (float[N] x) => (float[N] y)\ntasks:\n  gamma: {}\n  zeta: {}\n",
    "tasks/math/gamma/harness/oracle.cpp": "double gamma();\n",
    "references/activation/relu.cpp": "void relu();\n",
    "references/activation/relu.cl": "kernel void relu();\n",
    "references/math/sum.cpp": "void sum();\n",
    "cmake/backends/cpp.cmake": "# C++\nkernel_backend(cpp SUFFIX .cpp LANGUAGE CXX)\n",
    "cmake/backends/opencl.cmake": "kernel_backend(opencl\n  SUFFIX      .cl\n  MEMORY opencl)\n",
    "cmake/backends/rare.cmake": "set(only COMPILE_ONLY \"no device\")\nkernel_backend(rare SUFFIX .rare ${only})\n",
    "references/activation/relu.rare": "relu\n",
    "tasks/api/on_device/problem-spec.yaml": 'interface: program\nbuild_command: "nvcc -o test.out solution.cu test/*.cu"\n',
    "tasks/api/on_device/test/main.cu": "int main() {}\n",
    "tasks/api/on_host/problem-spec.yaml": 'interface: program\nbuild_command: "g++ -o test.out solution.cpp test/*.cpp"\n',
    "harness/oracle/elementwise.h": "int map();\n",
    "harness/oracle/operators/activation.cpp": 'const bool d = define({.name = "Relu"});\n',
    "harness/oracle/operators/total.cpp": 'const bool d = define({.name = "Total"});\n',
    "harness/spec/draws/ragged.cpp": 'const bool d = define_draw({.name = "offsets"});\n',
    "harness/spec/draws/sparse.cpp": 'const bool d = define_draw({.name = "page_table"});\n',
    "harness/spec/draws/mask.cpp": 'const bool d = define_draw({.name = "mask"});\n',
    "harness/stages/test_stage.cpp": "int judge();\n",
}
KEYS = {("relu", "admission"), ("relu", "cpp"), ("relu", "opencl"), ("relu", "rare"), ("sum", "admission"), ("sum", "cpp"),
        ("gamma", "admission"), ("zeta", "admission"), ("on_device", "program")}
MODELS = {key for key in KEYS if key[1] != "program"}


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = pathlib.Path(folder.name)
        for path, text in FILES.items():
            self.write(path, text)
        for name in lock.RULES + lock.ADMISSION_RULES:
            self.write(f"harness/room/{name}.cpp", f"int {name};\n")
        (self.source / "tests").mkdir()
        self.before = self.hashes()

    def write(self, path, text):
        (self.source / path).parent.mkdir(parents=True, exist_ok=True)
        (self.source / path).write_text(text)

    def hashes(self):
        lock.digest.cache_clear()
        lock.sources_named.cache_clear()
        return lock.hash_corpus(self.source)

    def changed(self):
        now = self.hashes()
        return {key for key in now.keys() | self.before.keys() if now.get(key) != self.before.get(key)}

    def lock(self, **other):
        rows = {key: Row(value, "admitted" if key[1] == "admission" else "PASS") for key, value in self.before.items()}
        lock.write_rows(self.source / lock.LOCK, rows | {key: row for key, row in other.get("rows", {}).items()})

    def check(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = lock.check(types.SimpleNamespace(source=self.source))
        return code, said.getvalue()

    def picked(self, commit):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            lock.pick(types.SimpleNamespace(source=self.source, commit=commit))
        return {line.split()[1] for line in said.getvalue().splitlines() if line.startswith("in ")}


class Judging(Tree):
    def test_refuses_a_folder_in_use(self):
        work = self.source / "build/judged"
        with lock.alone_in(work):
            with self.assertRaisesRegex(Failure, "judged: another process judges there. do: wait"):
                with lock.alone_in(work):
                    pass
        with lock.alone_in(work):
            pass


class Hash(Tree):
    def test_every_task_and_reference_has_one(self):
        self.assertEqual(self.before.keys(), KEYS)

    def test_is_of_what_decides_the_verdict(self):
        for path, text, expected in (
                ("references/activation/relu.cl", "other\n", {("relu", "opencl")}),
                ("tasks/api/on_device/test/main.cu", "other\n", {("on_device", "program")}),
                ("tasks/activation/relu/context/part.h", "other\n", {key for key in KEYS if key[0] == "relu"}),
                ("cmake/backends/cpp.cmake", "kernel_backend(cpp SUFFIX .cpp FLAGS -O1)\n", {("relu", "cpp"), ("sum", "cpp")}),
                ("harness/oracle/operators/total.cpp", '"Total" + 1\n', {key for key in KEYS if key[0] == "sum"}),
                ("harness/oracle/elementwise.h", "int zip();\n", MODELS),
                ("harness/spec/draws/ragged.cpp", '{.name = "offsets", 1}\n', {key for key in KEYS if key[0] == "sum"}),
                ("harness/spec/draws/sparse.cpp", '{.name = "page_table", 1}\n', {key for key in KEYS if key[0] == "sum"}),
                ("harness/spec/draws/mask.cpp", '{.name = "mask", 1}\n', set()),
                ("harness/room/expected.cpp", "int other;\n", MODELS),
                ("harness/room/admission.cpp", "int other;\n", {key for key in KEYS if key[1] == "admission"}),
                ("tasks/math/gamma/harness/oracle.cpp", "double beta();\n", {("gamma", "admission")}),
                ("harness/stages/test_stage.cpp", "int other();\n", set())):
            with self.subTest(path):
                before = (self.source / path).read_text() if (self.source / path).exists() else None
                self.write(path, text)
                self.assertEqual(self.changed(), expected)
                if before is None:
                    (self.source / path).unlink()
                else:
                    self.write(path, before)

    def test_is_of_the_blocks_too(self):
        self.write("references/blocks/outer.h", '#pragma once\n#include "blocks/inner.h"\n')
        self.write("references/blocks/inner.h", "int one();\n")
        self.write("references/math/sum.cpp", '#include "blocks/outer.h"\n#include "blocks/inner.h"\nvoid sum();\n')
        self.assertEqual(lock.assembled('#include "blocks/outer.h"\n#include "blocks/inner.h"\nvoid sum();\n', self.source / "references"), "int one();\nvoid sum();\n")
        self.before = self.hashes()
        self.assertEqual(self.before.keys(), KEYS)
        self.write("references/blocks/inner.h", "int other();\n")
        self.assertEqual(self.changed(), {("sum", "cpp")})

    def test_moves_comments_and_white_space_do_not_count(self):
        (self.source / "harness/room").rename(self.source / "harness/another")
        self.write("harness/another/expected.cpp", "// Why.\nint\n    expected ;  /* so */\n")
        self.assertEqual(self.changed(), set())

    def test_difficulty_does_not_count(self):
        relu, family = "tasks/activation/relu/task.yaml", "tasks/math/special.yaml"
        self.write(relu, FILES[relu].replace("model:", "difficulty: 3\nmodel:"))
        self.write(family, FILES[family].replace("gamma: {}", "gamma: {difficulty: 2}").replace("summary", "difficulty: 4\nsummary"))
        self.assertEqual(self.changed(), set())
        self.write(family, FILES[family].replace("gamma: {}", "gamma: {difficulty: 2, op: Sin}"))
        one = self.hashes()["gamma", "admission"]
        for other in ("gamma: {op: Sin, difficulty: 4}", "gamma: {op: Sin}"):
            self.write(family, FILES[family].replace("gamma: {}", other))
            self.assertEqual(self.hashes()["gamma", "admission"], one, other)

    def test_strings_count(self):
        self.assertNotEqual(lock.meaning('f("a  b // c")'), lock.meaning('f("a b")'))
        self.assertEqual(lock.meaning('f( "a" )  // "b"\n'), lock.meaning('f("a")'))

    def test_a_rule_that_is_gone_is_an_error(self):
        (self.source / "harness/room/expected.cpp").unlink()
        with self.assertRaisesRegex(Failure, "harness/ has no expected.h or expected.cpp. do: name what took its place"):
            self.hashes()


class Check(Tree):
    def test_rows_that_hold(self):
        self.lock()
        self.assertEqual(self.check(), (0, ""))

    def test_a_missing_row(self):
        self.lock()
        self.write("references/math/sum.cl", "kernel void sum();\n")
        code, said = self.check()
        self.assertEqual(code, 1)
        self.assertIn("tests/corpus.lock: sum opencl: has no row\n", said)
        self.assertIn("do: ctest --test-dir <build> -R '^corpus.changed$', and commit the file", said)

    def test_a_row_of_another_hash(self):
        self.lock(rows={("sum", "cpp"): Row("0123456789abcdef", "PASS")})
        self.assertIn("sum cpp: was judged as 0123456789abcdef, is " + self.before["sum", "cpp"] + " now", self.check()[1])

    def test_a_row_of_nothing(self):
        self.lock(rows={("gone", "cpp"): Row("0123456789abcdef", "PASS")})
        self.assertIn("gone cpp: the row is of nothing that is there", self.check()[1])

    def test_a_verdict_that_no_reference_may_have(self):
        self.lock(rows={("sum", "cpp"): Row(self.before["sum", "cpp"], "WRONG_RESULT")})
        self.assertIn("sum cpp: the verdict is WRONG_RESULT, which no task or reference may have", self.check()[1])

    def test_compiling_is_enough_where_the_device_is_rare(self):
        self.lock(rows={key: Row(self.before[key], lock.COMPILES) for key in (("relu", "rare"), ("on_device", "program"))})
        self.assertEqual(self.check(), (0, ""))
        self.lock(rows={("sum", "cpp"): Row(self.before["sum", "cpp"], lock.COMPILES)})
        self.assertIn("sum cpp: the verdict is COMPILES, which no task or reference may have", self.check()[1])

    def test_a_line_that_is_no_row(self):
        for text, said in (("relu\tcpp\tPASS\n", "corpus.lock:1: needs task, what, hash and verdict"),
                           ("relu\tcpp\ta\tPASS\n" * 2, "corpus.lock:2: relu cpp has a row above")):
            self.write(str(lock.LOCK), text)
            with self.assertRaisesRegex(Failure, said):
                self.check()


class Pick(Tree):
    def test_one_in_forty_rounded_up_by_the_commit(self):
        tasks = [f"t{i}" for i in range(81)]
        seen = [frozenset(lock.commit_share(tasks, f"c{i}", lock.SHARE)) for i in range(200)]
        self.assertEqual({len(chosen) for chosen in seen}, {3})
        self.assertEqual(set().union(*seen), set(tasks))
        self.assertEqual(lock.commit_share(tasks, "c1", lock.SHARE), seen[1])

    def test_what_differs_always(self):
        self.lock()
        self.assertEqual({len(self.picked(f"c{i}")) for i in range(20)}, {1})
        self.write("references/math/sum.cpp", "other\n")
        self.assertTrue(all("sum" in self.picked(f"c{i}") for i in range(20)))

    def test_all_without_a_lock(self):
        self.assertEqual(self.picked("c"), {key[0] for key in KEYS})


class Verdicts(Tree):
    def test_are_asked_for_kind_by_kind(self):
        wanted = {("relu", "admission"), ("relu", "cpp"), ("softmax", "cpp"), ("twice", "program")}
        self.assertEqual(list(lock.chosen_tests(wanted)),
                         ["^assay[.](relu)[.]admission$", "^reference[.](relu|softmax)[.]cpp[.]000[.](compile|test)$",
                          "^reference[.](twice)[.]program[.]000[.](compile|test)$"])

    def test_are_read_from_junit(self):
        record = "assay: {\"verdict\": \"%s\"}\nmore"
        cases = {"reference.relu.cpp.000.compile": record % "PASS", "reference.relu.cpp.000.test": record % "WRONG_RESULT",
                 "reference.sum.cpp.000.compile": record % "COMPILE_ERROR", "reference.sum.cpp.000.test": "",
                 "reference.sum.opencl.000.test": record % "PASS", "reference.sum.opencl.000.compile": record % "PASS",
                 "reference.relu.opencl.000.compile": record % "PASS", "reference.relu.opencl.000.test": "",
                 "reference.relu.rare.000.compile": record % "PASS", "reference.relu.rare.000.test": "",
                 "reference.sum.rare.000.compile": record % "COMPILE_ERROR",
                 "assay.relu.cases": "drawn", "assay.relu.admission": "alteration\n\nrelu: admitted: 3 alterations\n",
                 "assay.sum.admission": "killed"}
        junit = self.source / "junit.xml"
        junit.write_text("<testsuite>" + "".join(f'<testcase name="{name}"><system-out>{text}</system-out></testcase>'
                                                 for name, text in cases.items()) + "</testsuite>")
        self.assertEqual(lock.read_verdicts([junit], {"rare"}), {
            ("relu", "opencl"): "NOT_RUN", ("relu", "rare"): "COMPILES", ("sum", "rare"): "COMPILE_ERROR",
            ("relu", "cpp"): "WRONG_RESULT", ("sum", "cpp"): "COMPILE_ERROR", ("sum", "opencl"): "PASS",
            ("relu", "admission"): "admitted", ("sum", "admission"): "no word"})


if __name__ == "__main__":
    unittest.main()
