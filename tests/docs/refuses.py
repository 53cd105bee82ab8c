#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py finds what is wrong: faults are added to a page of a copy of the tree. Each must be found where it stands, and nothing else.

usage: refuses.py <source folder> <build folder> <cmake>
"""
import pathlib
import shutil
import sys
import tempfile

from check import problems_of
from known import Known


def block(command):
    return f"```sh\n{command}\n```"


IN_ONE_PAGE = [
    ("[a page](docs/nowhere.md)", "the link docs/nowhere.md leads nowhere"),
    ("[a page](docs/timing.md#no-such-heading)", "timing.md has no heading for #no-such-heading"),
    ("[a page](../elsewhere.md)", "the link ../elsewhere.md leaves the repository"),
    ("`tests/nowhere/file.cpp` has it.", "there is no 'tests/nowhere/file.cpp'"),
    ("This is `tasks/activation/relu/task.yaml`:\n\n```yaml\nsummary: other\n```", "this is not what tasks/activation/relu/task.yaml holds"),
    (block("scripts/nothing"), "there is no 'scripts/nothing'"),
    (block("scripts/evaluate --hasty"), "scripts/evaluate knows no '--hasty'"),
    (block("scripts/test -- -L '^no-such-label$'"), "-L '^no-such-label$': no label is called so"),
    (block("ctest --preset dev -L '^no-such-label$'"), "-L '^no-such-label$': no label is called so"),
    (block("ctest --preset dev -L cpp"), "-L 'cpp' also takes labels that hold it"),
    (block("ctest --preset dev -R '^no.such.test$'"), "-R '^no.such.test$': no test is called so"),
    (block("ctest --preset nothing"), "no test preset is called 'nothing'"),
    (block("ctest --no-such-option"), "'--no-such-option' is no option of"),
    (block("cmake --preset dev -DKERNELASSAY_NOTHING=1"), "no cache variable is called 'KERNELASSAY_NOTHING'"),
    (block("cmake --preset dev -DKERNELASSAY_EFFORT=hasty"), "KERNELASSAY_EFFORT knows no 'hasty'"),
    (block("cmake --workflow --preset nothing"), "no workflow preset is called 'nothing'"),
    (block("build/evaluate/bin/assay nothing"), "assay has no subcommand 'nothing'"),
    (block("build/evaluate/bin/assay report --no-such-option x"), "'--no-such-option' is no option of 'assay report'"),
    (block("build/evaluate/bin/assay export harbor --no-such-option x"), "'--no-such-option' is no option of 'assay export harbor'"),
    (block("build/evaluate/bin/assay-nothing devices"), "no program is called 'assay-nothing'"),
    (block("ASSAY_NOTHING=1 ctest --preset dev"), "nobody reads the variable 'ASSAY_NOTHING'"),
    (block("make all && ctest --preset dev"), "'make' is no program that tests/docs knows"),
    (block("ctest --preset 'dev"), "the shell cannot read this"),
    ("`assay report --no-such-option`", "'--no-such-option' is no option of 'assay report'"),
]


ALONE = [
    ("README.md", "```sh\nscripts/test", "a fence of ``` is not closed"),
    ("README.md", "\n" * 130, "README has "),
    ("README.md", f"<!-- run: it -->\n{block('scripts/test')}", "no test runs a block that is marked 'run: it'"),
    ("docs/trust.md", "It is closed [`no_such_cheat`].", "nothing in tests/ is called 'no_such_cheat'"),
    ("docs/trust.md", "It is closed [`NoSuch.Test`].", "nothing in tests/ is called 'NoSuch.Test'"),
    ("docs/trust.md", "It is closed [`program.problems`].", "nothing in tests/ is called 'program.problems'"),
    ("docs/new.md", "# A new page", "README does not link to this page"),
    ("docs/timing.md", "[a page](ci.md#no-such-heading)", "ci.md has no heading for #no-such-heading"),
    ("CONTRIBUTING.md", f"<!-- run by nobody -->\n{block('scripts/test')}", "no test runs a block that is marked 'run by nobody'"),
]


def copy_of(source, folder):
    """The pages, and links to all else."""
    folder.mkdir()
    for entry in source.iterdir():
        if entry.name != "docs" and not entry.name.startswith(".") and entry.suffix != ".md":
            (folder / entry.name).symlink_to(entry)
    shutil.copytree(source / "docs", folder / "docs")
    for page in source.glob("*.md"):
        shutil.copy(page, folder)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, build, cmake = (pathlib.Path(word) for word in sys.argv[1:])
    known = Known(source, build, cmake)
    allowed = {(path.name, problem) for path, _, problem in problems_of(source, known)}  # docs.check tells those
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "tree"
        copy_of(source, copy)

        def found_with(page, added):
            """(line of what is added, problem) of all findings."""
            text = (copy / page).read_text() if (copy / page).exists() else None
            (copy / page).write_text(f"{text or ''}\n{added}\n")
            first = (text or "").count("\n") + 2
            found = [(line - first, problem) for path, line, problem in problems_of(copy, known) if (path.name, problem) not in allowed]
            if text is None:
                (copy / page).unlink()
            else:
                (copy / page).write_text(text)
            return found

        added, places = "", []
        for fault, expected in IN_ONE_PAGE:
            begin = added.count("\n")
            added += f"{fault}\n\n"
            places.append((range(begin, added.count("\n")), fault, expected))
        found = found_with("CONTRIBUTING.md", added)
        for lines, fault, expected in places:
            here = [problem for line, problem in found if line in lines]
            if len(here) != 1 or expected not in here[0]:
                wrong.append((expected, here, fault))
        wrong += [("nothing", problem, "what was added") for line, problem in found if not any(line in lines for lines, _, _ in places)]
        for page, fault, expected in ALONE:
            found = [problem for _, problem in found_with(page, fault)]
            if len(found) != 1 or expected not in found[0]:
                wrong.append((expected, found, f"{fault} in {page}"))
    for expected, got, fault in wrong:
        print(f"expected: {expected}\ngot: {got}\nfor: {fault}")
    print(f"{len(IN_ONE_PAGE) + len(ALONE)} faults, {len(wrong)} not found as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
