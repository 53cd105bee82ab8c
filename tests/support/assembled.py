# SPDX-License-Identifier: Apache-2.0
"""A reference with the blocks that it includes, as cmake/KernelBlocks.cmake makes one file of them."""
import re


def assembled(text, references):
    """The text of a reference with that of its blocks, of the folder `references`; a missing block is an OSError."""
    taken = set()

    def block(found):
        name = found[1]
        if name in taken:
            return ""
        taken.add(name)
        return expand((references / "blocks" / name).read_text().replace("#pragma once\n", ""))

    def expand(text):
        return re.sub(r'^#include "blocks/([A-Za-z0-9_.]+)"[^\n]*\n', block, text, flags=re.MULTILINE)

    return expand(text)
