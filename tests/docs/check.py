#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are README, CONTRIBUTING and docs/ true, as far as a program can tell?

usage: check.py <source folder> <build folder> <cmake>

Each relative link and its anchor must resolve, each page of docs/ be linked from README, each path in code spans exist. Commands in
blocks of `sh`, and in code spans that begin with a program of ours, must be made of presets, cache variables, labels, tests, subcommands
and options that exist. A file that a page shows must be that file; what trust.md names as tried must be in tests/. Prints what is
wrong; exit 1 where something is.
"""
import os
import pathlib
import re
import sys

from commands import check_text
from known import Known
from page import Page

RUN_BY_CONTRIBUTING_TEST = ("run: ", "run with the harness: ")
OF_THE_TREE = r"(?:cmake|docs|generated|harness|references|scripts|tasks|tests)/[\w./*-]*"
LONGEST_README = 130


def pages_of(source):
    return [Page(source / "README.md"), Page(source / "CONTRIBUTING.md"), *(Page(path) for path in sorted((source / "docs").glob("*.md")))]


def check_links(page, source):
    for line, link in page.links():
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.path if not name else pathlib.Path(os.path.normpath(page.path.parent / name))
        if source not in target.parents:
            yield line, f"the link {link} leaves the repository"
        elif not target.exists():
            yield line, f"the link {link} leads nowhere"
        elif anchor and anchor not in Page(target).anchors():
            yield line, f"{target.name} has no heading for #{anchor}"


def check_blocks(page, known):
    for block in page.blocks:
        if block.mark.startswith(RUN_BY_CONTRIBUTING_TEST) and page.path.name == "CONTRIBUTING.md":
            continue
        if block.mark:
            yield block.line, f"no test runs a block that is marked '{block.mark}'"
        if block.language == "sh":
            for number, problem in check_text(known, block.text):
                yield block.line + number, problem


def names_made_by(pages):
    """Tasks that a page's own commands make: what it says of their files is about the reader's tree."""
    text = "\n".join(page.prose + "".join(block.text for block in page.blocks) for page in pages)
    return set(re.findall(r"(?:new-task \w+/|kernel_task\()(\w+)", text)) | set(re.findall(r"^cat > cmake/backends/(\w+)", text, re.MULTILINE))


def check_spans(page, known, made):
    for line, span in page.spans():
        if "..." in span or made & set(re.split(r"\W+", span)):
            continue
        if re.match(r"(ctest|cmake|cpack|assay) -|assay [a-z]|(scripts|tests)/[\w./-]+ -", span):
            for _, problem in check_text(known, span):
                yield line, problem
        elif re.fullmatch(OF_THE_TREE, span):
            if not any(known.source.glob(span.rstrip("/"))):
                yield line, f"there is no '{span}'"


def check_shown_files(page, source):
    """'This is `<path>`:' with the file below it."""
    text = page.path.read_text()
    for match in re.finditer(r"This is `([^`]+)`:\n\n```\w*\n(.*?)```", text, re.DOTALL):
        if not (source / match[1]).is_file() or (source / match[1]).read_text() != match[2]:
            yield text.count("\n", 0, match.start()) + 1, f"this is not what {match[1]} holds"


def check_tried(page, known):
    """Names in brackets of trust.md: cheats, tests (Suite.Name, a * stands for the rest, or a name of CTest's with a dot) and faults."""
    for match in re.finditer(r"\[(`[^\]]+`[^\]]*)\](?!\()", page.prose):
        for name in re.findall(r"`([\w.]+)\*?`", match[1]):
            suite, dot, test = name.partition(".")
            is_there = known.is_tried(suite, test) if suite[0].isupper() or not dot else name in known.tests
            if not is_there:
                yield page.prose.count("\n", 0, match.start()) + 1, f"nothing in tests/ is called '{name}'"


def problems_of(source, known):
    """(page, line, what is wrong) of all pages."""
    pages = pages_of(source)
    made = names_made_by(pages)
    linked = {source / link.split("#")[0] for _, link in pages[0].links()}
    for page in pages:
        if not page.is_closed:
            yield page.path, 1, "a fence of ``` is not closed"
        if page.path.parent.name == "docs" and page.path not in linked:
            yield page.path, 1, "README does not link to this page"
        found = [*check_links(page, source), *check_blocks(page, known), *check_spans(page, known, made), *check_shown_files(page, source)]
        if page.path.name == "trust.md":
            found += check_tried(page, known)
        for line, problem in found:
            yield page.path, line, problem
    lines = pages[0].path.read_text().count("\n")
    if lines > LONGEST_README:
        yield pages[0].path, lines, f"README has {lines} lines, at most {LONGEST_README}. do: move some to docs/"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, build, cmake = (pathlib.Path(word) for word in sys.argv[1:])
    problems = list(problems_of(source, Known(source, build, cmake)))
    for path, line, problem in problems:
        print(f"{path.relative_to(source)}:{line}: {problem}")
    print(f"{len(pages_of(source))} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
