#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""graph.py notices each kind of fault, in a house of two rooms that is made up for it."""
import pathlib
import tempfile
import unittest

import graph


class House(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.harness = pathlib.Path(self.folder.name)
        self.write("CMakeLists.txt", "foreach(room IN ITEMS low middle high)\n")
        for room, linked in (("low", ""), ("middle", "assay_low"), ("high", "assay_middle")):
            self.write(f"{room}/CMakeLists.txt", f"add_library(assay_{room} x.cpp)\ntarget_link_libraries(assay_{room} PUBLIC {linked} fmt::fmt)\n")
            self.write(f"{room}/include/assay/{room}/{room}.h", "#include <vector>\n")
            self.write(f"{room}/private.h", "")
            self.write(f"{room}/only_{room}.h", "")
            self.write(f"{room}/x.cpp", f'#include "assay/{room}/{room}.h"\n#include "private.h"\n')

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.harness / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def fault(self, name, text):
        self.write(name, text)
        return list(graph.faults(self.harness))

    def test_a_house_in_order_has_none(self):
        self.assertEqual(self.fault("high/y.cpp", '#include "assay/low/low.h"\n#include "assay/middle/middle.h"\n#include <string>\n'), [])

    def test_a_source_in_a_string_is_none(self):
        self.assertEqual(self.fault("low/y.cpp", 'const char* text = R"(\n#include "kernel.h"\n)";\n'), [])

    def test_a_room_above(self):
        self.assertEqual(self.fault("low/y.cpp", '#include "assay/high/high.h"\n'), ["low/y.cpp: includes assay/high/high.h, of high, which is above it"])
        self.assertEqual(len(self.fault("low/include/assay/low/z.h", "#  include <assay/middle/middle.h>\n")), 2)

    def test_a_private_header_of_another_room(self):
        self.assertEqual(self.fault("high/y.cpp", '#include "only_low.h"\n'), ["high/y.cpp: includes only_low.h, which is no header of its own"])
        self.assertEqual(len(self.fault("high/y.cpp", '#include "../low/only_low.h"\n')), 1)

    def test_a_room_that_is_not_linked(self):
        self.write("middle/CMakeLists.txt", "add_library(assay_middle x.cpp)\n")
        self.assertEqual(self.fault("middle/y.cpp", '#include "assay/low/low.h"\n'),
                         ["middle/y.cpp: includes assay/low/low.h, of low, which its library is not linked with"])

    def test_a_link_upward(self):
        self.assertEqual(self.fault("low/CMakeLists.txt", "add_library(assay_low x.cpp)\ntarget_link_libraries(assay_low PRIVATE assay_high)\n"),
                         ["low: is linked with high, which is above it"])

    def test_a_folder_that_is_no_room(self):
        self.assertEqual(self.fault("cellar/x.cpp", ""), ["cellar: is no room of the list in CMakeLists.txt"])

    def test_a_house_without_a_list(self):
        self.assertEqual(len(self.fault("CMakeLists.txt", "")), 1)


if __name__ == "__main__":
    unittest.main()
