#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay generate with a strategy that judges, against the scripted server and with the real stages: iterative.py ASSAY SERVER BUILD"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

assay, server_program, build = sys.argv[1:4]

HEAD = '#include "kernel.h"\n#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n'
BROKEN = HEAD + "void relu(const float* x, float* y, int64_t N, int64_t C) { undeclared(x, y); }\n"
WRONG = HEAD + "void relu(const float* x, float* y, int64_t N, int64_t C) { for (int64_t i = 0; i < N * C; ++i) y[i] = x[i]; }\n"
RIGHT = HEAD + "void relu(const float* x, float* y, int64_t N, int64_t C) { for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 ? x[i] : 0; }\n"
FAST = RIGHT.replace("{ for", "{\n#pragma omp parallel for simd\n  for")


def fenced(source):
    return f"Here it is.\n\n```cpp\n{source}```\n"


class Iterative(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.server = None

    def tearDown(self):
        if self.server is not None:
            self.server.kill()
            self.server.communicate()
        self.folder.cleanup()

    def serve(self, *answers, seconds=0, form="--turn="):
        """Answers by their turn in a conversation, or, with the form "say:", by their place among all."""
        words = [f"--seen={self.path}/seen.jsonl", f"--seconds={seconds}"]
        for i, answer in enumerate(answers):
            file = self.path / f"turn{i}.md"
            file.write_text(answer)
            words.append(f"{form}{file}")
        self.server = subprocess.Popen([server_program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.server.stdout.readline().strip()

    def seen(self):
        """The bodies of the requests; ends the server."""
        self.server.communicate(timeout=20)
        self.server = None
        return [json.loads(line) for line in (self.path / "seen.jsonl").read_text().splitlines()]

    def config(self, url, strategy, **more):
        lines = {"run": "m", "model": "small", "base_url": url, "key": "none", "tasks": "[relu]", "strategy": strategy,
                 "retries": "{most: 0, first: 0.01}", **more}
        file = self.path / "config.yaml"
        file.write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
        return str(file)

    def command(self, *arguments):
        return [assay, "generate", *arguments, "--build", build, "--out", str(self.path / "generated")]

    def call(self, *arguments, code=0):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=280)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def lines(self, name, run="m"):
        return [json.loads(line) for line in (self.path / "generated" / run / name).read_text().splitlines()]

    def candidate(self, run="m"):
        return (self.path / "generated" / run / "relu/000.cpp").read_text()

    def test_it_ends_with_the_first_right_answer(self):
        config = self.config(self.serve(*map(fenced, [BROKEN, WRONG, RIGHT, FAST])), "{name: iterative, turns: 6, feedback: test}")
        done = self.call(config)
        self.assertIn("1/1 answered, 1 with a candidate", done.stdout)
        self.assertRegex(done.stdout, r"best so far by turn\n.*\n +1 +1 +0 +120\n +2 +1 +0 +240\n +3 +1 +1 +360\n")
        seen = self.seen()
        self.assertEqual(len(seen), 3)
        first, second, third = ([message["content"] for message in body["messages"]] for body in seen)
        self.assertEqual(second[:2], [*first, fenced(BROKEN)])
        self.assertIn("COMPILE_ERROR", second[2])
        self.assertIn("error: 'undeclared' was not declared in this scope", second[2])
        self.assertEqual(third[:4], [*second, fenced(WRONG)])
        self.assertRegex(third[4], r"^Your answer was judged:\n\nWRONG_RESULT: an output was outside its bound\.\n\d+ of \d+ cases passed\. An output is "
                                   r"infinite or no number where it should not be, or the other way round\.\n\nFind what is wrong")
        self.assertEqual(self.candidate(), RIGHT)
        self.assertEqual([line["verdict"] for line in self.lines("verdicts.jsonl")], ["COMPILE_ERROR", "WRONG_RESULT", "PASS"])
        self.call(config)  # nothing is left, and no server is there

    def test_a_problem_that_brings_its_own_test(self):
        root = pathlib.Path(__file__).parents[2]
        wrong = (root / "tests/program/wrong/exclusive_scan_openmp/is_inclusive.cpp").read_text()
        right = (root / "tasks/api/exclusive_scan_openmp/solution/solution.cpp").read_text()
        url = self.serve(*map(fenced, [wrong, right]))
        self.call(self.config(url, "{name: iterative, turns: 4, feedback: test}", backend="program", tasks="[exclusive_scan_openmp]"))
        seen = self.seen()
        self.assertEqual(len(seen), 2)
        self.assertIn("WRONG_RESULT: the problem's test fails.", seen[1]["messages"][-1]["content"])
        self.assertEqual((self.path / "generated/m/exclusive_scan_openmp/000.cpp").read_text(), right)

    def test_compile_feedback_ends_with_the_first_that_compiles(self):
        self.call(self.config(self.serve(*map(fenced, [BROKEN, WRONG, RIGHT])), "{name: iterative, feedback: compile}"))
        self.assertEqual(len(self.seen()), 2)
        self.assertEqual(self.candidate(), WRONG)

    def test_bench_feedback_goes_on_and_keeps_the_best(self):
        self.call(self.config(self.serve(*map(fenced, [RIGHT, FAST, BROKEN])), "{name: iterative, turns: 3, feedback: bench}"))
        seen = self.seen()
        self.assertEqual(len(seen), 3)
        verdicts = self.lines("verdicts.jsonl")
        self.assertEqual([line["right"] for line in verdicts], [True, True, False])
        self.assertIn("Make it faster, and keep it right.", seen[1]["messages"][-1]["content"])
        speedups = [line.get("speedup", -1) for line in verdicts[:2]]
        self.assertEqual(self.candidate(), [RIGHT, FAST][speedups[1] >= speedups[0]])

    def test_killed_and_resumed_it_asks_nothing_twice(self):
        url = self.serve(*map(fenced, [BROKEN, WRONG, RIGHT]), seconds=0.1)
        config = self.config(url, "{name: iterative, turns: 5, feedback: test}", samples=4, limits="{concurrency: 2}")
        for _ in range(6):
            process = subprocess.Popen(self.command(config), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1.2)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.call(config)
        ids = [line["id"] for line in self.lines("answers.jsonl")]
        self.assertEqual(len(ids), 12)
        self.assertEqual(len(set(ids)), 12)
        self.assertEqual(sorted(line["id"] for line in self.lines("verdicts.jsonl")), sorted(ids))
        self.assertLessEqual(len(self.seen()), 12 + 6 * 2)  # those under way when it was killed
        for sample in range(4):
            self.assertEqual((self.path / f"generated/m/relu/{sample:03}.cpp").read_text(), RIGHT)

    def test_it_is_replayed_without_server_and_compiler(self):
        config = self.config(self.serve(*map(fenced, [BROKEN, WRONG, RIGHT])), "{name: iterative, feedback: test}")
        self.call(config)
        self.seen()
        began = time.monotonic()
        self.call(config, "--run", "n", "--replay", str(self.path / "generated/m"))
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(self.candidate("n"), RIGHT)
        self.assertEqual(self.lines("verdicts.jsonl", "n"), self.lines("verdicts.jsonl"))

    def test_agents_repair_and_make_faster(self):
        repair = json.dumps({"cause": "negative values pass", "changes": ["take the larger of 0 and x"]})
        faster = json.dumps({"bottleneck": "one thread", "method": "threads", "plan": "a parallel loop"})
        url = self.serve(fenced(WRONG), "A sign, I think.", repair, fenced(RIGHT), faster, fenced(FAST), form="say:")
        config = self.config(url, "{name: agents, turns: 3, feedback: bench}", limits="{concurrency: 1}")
        self.call(config)
        said = [body["messages"][-1]["content"] for body in self.seen()]
        self.assertEqual(len(said), 6)
        self.assertIn("WRONG_RESULT: an output was outside its bound.", said[1])
        self.assertIn("there is no JSON object in it", said[2])
        self.assertIn("The cause: negative values pass\n- take the larger of 0 and x\n", said[3])
        self.assertRegex(said[4], r"2\. a repair, for: negative values pass -> (PASS|INCONCLUSIVE)")
        self.assertIn("The method: threads\n", said[5])
        verdicts = self.lines("verdicts.jsonl")
        self.assertEqual([line["turn"] for line in verdicts], [1, 4, 6])
        self.assertEqual([line["right"] for line in verdicts], [False, True, True])
        self.assertIn(self.candidate(), [RIGHT, FAST])
        self.call(config, "--run", "n", "--replay", str(self.path / "generated/m"))
        self.assertEqual(self.candidate("n"), self.candidate())

    def test_a_build_that_cannot_judge_is_said(self):
        url = self.serve(fenced(BROKEN))
        empty = self.path / "build"
        (empty / "kernelassay").mkdir(parents=True)
        config = self.config(url, "{name: iterative}")
        done = subprocess.run([*self.command(config)[:-4], "--build", str(empty), "--out", str(self.path / "generated")], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)

    def test_no_candidate_carries_out_what_it_is_tested_with(self):
        """Each writes dimensions and inputs wherever a candidate can write: into its last words, its status, its output, its errors."""
        body = 'char s[200]; std::snprintf(s, sizeof s, "LEAK N=%ld C=%ld x=%a", long(N), long(C), x[0]);'
        ends = {
            "prints": "std::fputs(s, stderr); std::puts(s); std::abort();",
            "status": "std::exit(int(N * C % 251) + 1);",
            "signal": "std::raise(int(N % 30) + 1); for (;;);",
            "address": "*reinterpret_cast<volatile char*>(N * 4096 + C) = 1;",
            "far": "y[N * C + N] = 1;",
            "size": "for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] + 1e6f * float(N) + float(C);",
            "memory": "std::memset(std::malloc(std::size_t(N) << 40), 1, std::size_t(N) << 40);",
            "throws": "throw s;",
        }
        answers = [fenced(HEAD + f"void relu(const float* x, float* y, int64_t N, int64_t C) {{ {body} {end} }}\n") for end in ends.values()]
        self.call(self.config(self.serve(*answers), f"{{name: iterative, turns: {len(answers)}, feedback: test}}"))
        told = [line["feedback"] for line in self.lines("verdicts.jsonl")]
        self.assertEqual(len(told), len(ends))
        ours = re.compile(r"[A-Z_]+: [a-z ,]+\.\n(A segmentation fault\.\n|A bus error\.\n|An illegal instruction\.\n|An integer division by zero, or one that "
                          r"overflows\.\n|It aborted: an exception that nobody caught, a damaged heap, or abort\(\)\.\n|It ended the process in the middle of a "
                          r"call\.\n|It called a system function that no kernel needs: processes, new code, network, tracing\.\n)?\d+ of \d+ cases passed\."
                          r"( An output is infinite or no number where it should not be, or the other way round\.)?"
                          r"( The largest relative error is (about|more than) 1e-?\d\.)?( The largest error is (about|more than) 1e\d times its bound\.)?\n")
        for how, text in zip(ends, told):
            with self.subTest(how=how):
                self.assertRegex(text, "^" + ours.pattern + "$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
