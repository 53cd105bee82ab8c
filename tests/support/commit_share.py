# SPDX-License-Identifier: Apache-2.0
"""What continuous integration judges of what grows: a share that the commit chooses, so that each has its turn. tests/pick.cmake chooses for
tests that CMake knows by name."""
import hashlib


def commit_share(names, commit, each):
    """One in `each` of the names, rounded up: those whose hash with the commit's is smallest."""
    ranked = sorted(names, key=lambda name: hashlib.sha256(f"{commit} {name}".encode()).digest())
    return set(ranked[:-(-len(ranked) // each)])
