# SPDX-License-Identifier: Apache-2.0
"""A plan as CMake writes it (cmake/KernelPlan.cmake)."""
import json
import pathlib

PARTS = ("toolchain", "task", "settings")


def load(file):
    """The plan with its parts in place of the names of their files."""
    plan = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    return {**plan, **{part: json.loads(pathlib.Path(plan[part]).read_text(encoding="utf-8")) for part in PARTS}}
