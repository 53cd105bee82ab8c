#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two builds and two test runs at once over the same tree. Both sources are right, so whatever is neither PASS nor
HARNESS_ERROR was made up; when all is quiet again, record and library are of one compilation."""
import random
import threading
import time

import judge
from judge import expect


class Repeatedly(threading.Thread):
    """Runs `work` until told to stop; keeps the first failure."""

    def __init__(self, work):
        super().__init__()
        self.work, self.enough, self.failure, self.count = work, threading.Event(), None, 0

    def run(self):
        while not self.enough.is_set() and self.failure is None:
            try:
                self.work()
                self.count += 1
            except Exception as failure:  # handed to the main thread
                self.failure = failure


def main(options, folder):
    tree = judge.Tree(options, folder).prepare()
    sources = [tree.source]
    other = tree.source.with_name("other.cpp")
    other.write_text(judge.CANDIDATE.replace("int64_t i = 0; i < N * C; ++i", "int64_t i = N * C; i-- > 0;"))
    sources.append(other)
    workers = [Repeatedly(lambda: compile_one(tree, random.choice(sources))) for _ in range(2)]
    workers += [Repeatedly(lambda: test_one(tree)), Repeatedly(lambda: expect(tree.run("cases").code == 0, "cases failed"))]
    for worker in workers:
        worker.start()
    enough = options.times or 4
    while all(worker.failure is None for worker in workers) and min(worker.count for worker in workers) < enough:
        time.sleep(0.1)
    for worker in workers:
        worker.enough.set()
    for worker in workers:
        worker.join()
    for worker in workers:
        if worker.failure is not None:
            raise worker.failure
    tree.expect_whole_record()
    expect(not tree.leftovers(), f"left behind: {tree.leftovers()}")
    tree.expect_good(("test", "bench"))
    expect(tree.run("build").code == 0, "the next build must compile it")
    tree.expect_good()


def compile_one(tree, source):
    done = tree.run("build", source)
    expect(done.code == 0 and not done.text, f"compile: {done.code}\n{done.text}")


def test_one(tree):
    verdict = tree.run("test").verdict
    expect(verdict in ("PASS", "HARNESS_ERROR"), f"test: {verdict} while the candidate was compiled again")


if __name__ == "__main__":
    judge.main(main)
