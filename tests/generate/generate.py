#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay generate against the scripted server, as a user calls it: generate.py ASSAY SERVER BUILD"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

assay, server_program, build = sys.argv[1:4]
KEY = "sk-secret-0123456789"


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([server_program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def end(self):
        """What it saw: (requests, distinct ones)."""
        if self.process is None:
            return None
        out, _ = self.process.communicate(timeout=20)
        self.process = None
        words = out.split()
        return int(words[0]), int(words[2])


class Generate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.end()
        self.folder.cleanup()

    def server(self, *words):
        self.servers.append(Server(*words))
        return self.servers[-1]

    def config(self, url, **more):
        lines = {"run": "m", "model": "small", "base_url": url, "key": "ASSAY_TEST_KEY", "tasks": "[relu, softmax]", "samples": 2, "seed": 1,
                 "retries": "{most: 2, first: 0.01, cap: 0.05}"}
        lines.update(more)
        file = self.path / "config.yaml"
        file.write_text("".join(f"{key}: {value}\n" for key, value in lines.items() if value is not None))
        return str(file)

    def command(self, *arguments):
        return [assay, "generate", *arguments, "--build", build, "--out", str(self.path / "generated")]

    def call(self, *arguments, key=KEY):
        environment = dict(os.environ)
        environment.pop("ASSAY_TEST_KEY", None)
        if key is not None:
            environment["ASSAY_TEST_KEY"] = key
        done = subprocess.run(self.command(*arguments), env=environment, capture_output=True, text=True, timeout=120)
        self.assertNotIn(KEY, done.stdout + done.stderr)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        return done

    def answers(self):
        return [json.loads(line) for line in (self.path / "generated/m/answers.jsonl").read_text().splitlines()]

    def test_fills_a_run_once(self):
        server = self.server()
        config = self.config(server.url)
        done = self.call(config)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4/4 answered, 4 with a candidate", done.stdout)
        source = (self.path / "generated/m/relu/001.cpp").read_text()
        self.assertIn("void relu(", source)
        self.assertEqual(self.call(config).returncode, 0)
        self.assertEqual(server.end(), (4, 4))
        for file in self.path.rglob("*"):
            if file.is_file():
                self.assertNotIn(KEY, file.read_text(errors="replace"), file)

    def test_replays_without_a_server(self):
        server = self.server()
        config = self.config(server.url)
        self.call(config)
        server.end()
        (self.path / "generated/m").rename(self.path / "recorded")
        done = self.call(config, "--replay", str(self.path / "recorded"), key=None)
        self.assertEqual(done.returncode, 0, done.stderr)
        for recorded in self.path.glob("recorded/*/*.cpp"):
            self.assertEqual(recorded.read_text(), (self.path / "generated/m" / recorded.relative_to(self.path / "recorded")).read_text())
        self.assertEqual(len(list(self.path.glob("generated/m/*/*.cpp"))), 4)

    def test_the_command_line_says_more_than_the_file(self):
        server = self.server()
        done = self.call(self.config(server.url), "--task", "relu", "--samples", "3", "--limit", "2", "--model", "other", "--run", "n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2/3 answered", done.stdout)
        self.assertIn("1 left", done.stdout)
        self.assertIn("model: other", (self.path / "generated/n/run.yaml").read_text())

    def test_a_dry_run_needs_neither_key_nor_server(self):
        done = self.call(self.config("https://example.invalid/v1"), "--dry-run", key=None)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4 requests to small for 2 tasks in cpp", done.stdout)
        self.assertFalse((self.path / "generated").exists())

    def test_examples_are_retrieved_and_bind_the_run(self):
        examples = self.path / "examples"
        examples.mkdir()
        (examples / "neighbour.cpp").write_text("// element by element, a rectified linear unit: softmax of each row\nvoid neighbour(float* y) {}\n")
        (examples / "relu.cpp").write_text("void rectified_linear_unit(float* y) {}\n")
        server = self.server()
        config = self.config(server.url, samples=1, prompt=f"{{shots: 'retrieval:{examples}'}}")
        self.assertEqual(self.call(config).returncode, 0)
        asked = (self.path / "generated/m/requests.jsonl").read_text()
        self.assertEqual(asked.count("void neighbour(float* y)"), 2)
        relu = next(line for line in asked.splitlines() if json.loads(line)["task"] == "relu")
        self.assertNotIn("void rectified_linear_unit(float* y)", relu)
        (examples / "neighbour.cpp").write_text("// a linear unit: softmax of each row, in another way\nvoid other(float* y) {}\n")
        done = self.call(config)
        self.assertEqual(done.returncode, 2)
        self.assertIn("was another one when it was asked", done.stderr)
        done = self.call(self.config(server.url, run="n", prompt="{shots: 'retrieval:/no/such/folder'}"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is no folder of examples", done.stderr)

    def test_bad_input_is_one_line(self):
        url = "https://example.invalid/v1"
        for more, key, said in [({"tasks": "[rellu]"}, KEY, "did you mean: relu"), ({"suites": "[npu]", "tasks": None}, KEY, "no suite 'npu'"),
                                ({}, None, "ASSAY_TEST_KEY is not set"), ({"provider": "opnai"}, KEY, "did you mean: openai"),
                                ({"backend": "fortran"}, KEY, "no backend 'fortran'"), ({"run": "../x"}, KEY, "must be [a-z0-9]"),
                                ({"samples": "x"}, KEY, "config.yaml:6:10: samples"), ({"base_url": "http://h/v1"}, KEY, "unencrypted")]:
            with self.subTest(said=said):
                done = self.call(self.config(more.pop("base_url", url), **more), key=key)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1)
        (self.path / "config.yaml").write_bytes(b"run: \xff\xfe\n")
        done = self.call(str(self.path / "config.yaml"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("config.yaml:1:1: generate: the line is not UTF-8", done.stderr)
        self.assertFalse((self.path / "generated").exists())

    def test_asks_for_solutions_of_problems(self):
        problem = pathlib.Path(__file__).parents[2] / "tasks/api/exclusive_scan_openmp"
        solution = (problem / "solution/solution.cpp").read_text()
        (self.path / "answer.md").write_text(f"```cpp\n// file: solution.cpp\n{solution}```\n")
        server = self.server(f"say:{self.path / 'answer.md'}")
        config = self.config(server.url, backend="program", tasks="[exclusive_scan_openmp]", samples=1)
        done = self.call(config, "--dry-run")
        self.assertIn("1 requests to small for 1 tasks in program, 1 samples each", done.stdout, done.stderr)
        done = self.call(config)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.path / "generated/m/exclusive_scan_openmp/000.cpp").read_text(), solution)
        asked = json.loads((self.path / "generated/m/requests.jsonl").read_text().splitlines()[0])
        prompt = subprocess.run([assay, "prompt", "exclusive_scan_openmp", "--build", build], capture_output=True, text=True, check=True).stdout
        self.assertEqual(asked["messages"][-1]["content"], prompt)
        done = self.call(self.config(server.url, backend="program", tasks="[exclusive_scan_openmp]", prompt="{shots: fixed}"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("bring their prompts", done.stderr)

    def test_a_server_that_refuses_ends_the_run(self):
        for word, said in [("html", "HTML page"), ("401", "status 401"), ("echo", "[key]")]:
            with self.subTest(word=word):
                server = self.server(word)
                done = self.call(self.config(server.url, run=word, limits="{concurrency: 1}"))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertEqual(server.end()[0], 1)

    def test_what_failed_is_asked_again(self):
        server = self.server(*["500"] * 3)
        config = self.config(server.url, limits="{concurrency: 1}")
        done = self.call(config)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("status 500", done.stderr)
        done = self.call(config)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(server.end()[0], 3 + 4)

    def test_killed_and_resumed_it_loses_nothing(self):
        server = self.server("--seconds=0.02")
        config = self.config(server.url, samples=40, limits="{concurrency: 4}")
        for _ in range(4):
            process = subprocess.Popen(self.command(config), env={**os.environ, "ASSAY_TEST_KEY": KEY}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.25)
            process.send_signal(signal.SIGKILL)
            process.wait()
        done = self.call(config)
        self.assertEqual(done.returncode, 0, done.stderr)
        ids = [answer["id"] for answer in self.answers()]
        self.assertEqual(len(ids), 80)
        self.assertEqual(len(set(ids)), 80)
        requests, distinct = server.end()
        self.assertEqual(distinct, 80)
        self.assertLessEqual(requests, 80 + 4 * 4)  # those under way when it was killed


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
