#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""namespaces.py notices each kind of fault, in a house of two rooms that is made up for it."""
import pathlib
import tempfile
import unittest

import namespaces


class House(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.harness = pathlib.Path(folder.name)
        self.write("CMakeLists.txt", "foreach(room IN ITEMS low high)\n")

    def write(self, name, text):
        path = self.harness / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def faults(self, name, text):
        self.write(name, text)
        return list(namespaces.faults(self.harness))

    def test_the_rooms_own_is_none(self):
        self.assertEqual(self.faults("low/x.h", "namespace assay::low {\nint f();\nnamespace detail {\nint g();\n}\n}\n"), [])
        self.assertEqual(self.faults("low/y.cpp", "namespace assay::low::detail {\nint g() { return 1; }\n}\nnamespace {\n}\n"), [])
        self.assertEqual(self.faults("high/main.cpp", "namespace fs = std::filesystem;\nint main() {}\n"), [])

    def test_that_of_another_room(self):
        self.assertEqual(self.faults("high/x.cpp", "namespace assay::low {\nint f() { return 1; }\n}\n"),
                         ["high/x.cpp: opens the namespace assay::low, its room's is assay::high"])
        self.assertEqual(len(self.faults("high/x.cpp", "namespace assay::highest { int f(); }\n")), 1)

    def test_that_around_all_rooms(self):
        self.assertEqual(self.faults("low/x.cpp", "namespace assay {\nnamespace low {\nint f();\n}\n}\n"),
                         ["low/x.cpp: opens the namespace assay, its room's is assay::low"])

    def test_a_second_one_in_a_file(self):
        self.assertEqual(self.faults("low/x.h", "namespace assay::low {\nint f();\n}\nnamespace std {\nstruct hash { int x; };\n}\n"),
                         ["low/x.h: opens the namespace std, its room's is assay::low"])

    def test_another_within(self):
        self.assertEqual(self.faults("low/x.cpp", "namespace onnx {\nclass A;\nnamespace assay::low {\nint f();\n}\n}\n"),
                         ["low/x.cpp: opens the namespace onnx, its room's is assay::low",
                          "low/x.cpp: opens the namespace onnx::assay::low, its room's is assay::low"])

    def test_classes_that_are_defined_elsewhere_are_none(self):
        self.assertEqual(self.faults("low/x.h", "namespace onnx {\nclass A;  // there\nstruct B;\n}\nnamespace assay::low {\n}\n"), [])

    def test_a_header_without_one(self):
        self.assertEqual(self.faults("low/x.h.in", "int f();\n"), ["low/x.h.in: does not open assay::low"])

    def test_sources_in_strings_and_comments_are_none(self):
        self.assertEqual(self.faults("low/x.cpp", '/* namespace a { */ const char* x = R"(namespace b {)", *y = "namespace c {";\n'), [])

    def test_what_users_write_against(self):
        path, name = next(iter(namespaces.PUBLIC.items()))
        self.write("CMakeLists.txt", f"foreach(room IN ITEMS {path.split('/')[0]})\n")
        self.assertEqual(self.faults(path, f"namespace {name} {{\nint f();\n}}\n"), [])
        self.assertEqual(len(self.faults(path, "namespace assay::oracle {\nint f();\n}\n")), 2)


if __name__ == "__main__":
    unittest.main()
