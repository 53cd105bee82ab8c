#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""failures.py <junit.xml>: the last lines of each failed test, for the end of a log that is thousands of lines long."""
import sys
import xml.etree.ElementTree

LINES = 12


def main(path):
    for test in xml.etree.ElementTree.parse(path).iter("testcase"):
        if test.get("status") == "fail":
            output = (test.findtext("system-out") or "").splitlines()
            print(f"-- {test.get('name')}, {len(output)} lines, the last of them:")
            print("\n".join(output[-LINES:]))


if __name__ == "__main__":
    main(sys.argv[1])
