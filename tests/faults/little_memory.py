#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The judge runs out of address space, at many points: HARNESS_ERROR or a clear error, never a candidate's verdict, no
crash, no hang. The soft limit alone is lowered, which the boxes raise again: what fails is the judge."""
import functools
import random
import resource

import judge
from judge import expect


def main(options, folder):
    tree = judge.Tree(options, folder).prepare()
    tree.expect_good()
    outcomes = {}
    for stage, fair in (("cases", ()), ("timing", ()), ("machine", ()), ("build", ()), ("test", ("PASS",)), ("bench", judge.FAIR)):
        need = least_to_start(tree)
        for i in range(options.times or 5):
            # Half of them just above what the program needs to start, where every allocation counts.
            limit = need + random.randrange(1 << 16, (4 << 20) if i % 2 else (200 << 20))
            done = tree.run(stage, preexec_fn=functools.partial(limit_memory, limit))
            outcome = check(tree, stage, done, fair, limit)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
        tree.expect_nobody()
    for stage in ("cases", "timing", "machine", "build"):
        expect(tree.run(stage).code == 0, f"{stage} must pass with memory again")
    tree.expect_good()
    print(f"outcomes {outcomes}")
    expect(outcomes.get("failed", 0) > 0, "no limit was low enough: nothing was tested")


def check(tree, stage, done, fair, limit):
    expect(done.code >= 0 and done.code not in (134, 139), f"{stage} at {limit} bytes ended by signal {done.code}\n{done.text}")
    if stage in ("cases", "timing", "machine"):
        expect(done.code == 0 or done.text.strip(), f"{stage} at {limit} bytes: exit code {done.code} without a reason")
        return "done" if done.code == 0 else "failed"
    if stage == "build":
        expect(done.code == 0 or done.text.strip(), f"compile at {limit} bytes: exit code {done.code} without a reason")
        verdict = tree.run("compile").verdict
        expect(verdict in ("PASS", "HARNESS_ERROR"), f"compile at {limit} bytes: {verdict}")
        expect(tree.run("build").code == 0, "the next build must compile it")
        return "done" if verdict == "PASS" else "failed"
    expect(done.verdict in (*fair, "HARNESS_ERROR"), f"{stage} at {limit} bytes: {done.verdict}\n{done.text}")
    return "failed" if done.verdict == "HARNESS_ERROR" else "done"


def least_to_start(tree):
    """The address space that the program itself takes, to a MiB."""
    low, high = 1, 4096
    while low < high:
        middle = (low + high) // 2
        starts = tree.run("compile", preexec_fn=functools.partial(limit_memory, middle << 20)).record is not None
        low, high = (low, middle) if starts else (middle + 1, high)
    return low << 20


def limit_memory(limit):
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    judge.main(main)
