#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""format.py CLANG_FORMAT ROOT: is the C++ of ROOT formatted as ROOT/.clang-format says?

Candidates are left alone, what they look like is part of what they are; so are references, whose lines name their mutants.
Exit status 77 where CLANG_FORMAT is not the version that .clang-format names, for every version has rules of its own.
"""
import pathlib
import re
import subprocess
import sys

FOLDERS = ("harness", "tests")
CANDIDATES = re.compile(r"^tests/(cheats/[^/]+|cheats/honest/[^/]+|stages/hostile/.+|program/(cheats|honest|wrong)/.+|.*/generated/.+)$")


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".h") and not CANDIDATES.match(str(path.relative_to(root))):
                yield path


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    wanted = re.search(r"clang-format (\d+)", (root / ".clang-format").read_text(encoding="utf-8"))[1]
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if f"version {wanted}." not in said:
        print(f"format: needs clang-format {wanted}, got: {said.strip()}")
        return 77
    files = list(sources(root))
    done = subprocess.run([program, "--dry-run", "--Werror", *files], capture_output=True, text=True, check=False)
    unformatted = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "[-Wclang-format-violations]" in line})
    for path in unformatted:
        print(f"{path}: is not formatted. do: {program} -i {path}")
    print(f"{len(files)} files")
    return 1 if unformatted or done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
