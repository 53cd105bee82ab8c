#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay score with the real stages, as a user calls it: score.py ASSAY BUILD SOURCE"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

assay, build, root = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
RELU = (root / "references/activation/relu.cpp").read_text()
WRONG = RELU.replace("> 0", "> 1") if "> 0" in RELU else '#include "kernel.h"\nvoid relu(const float*, float* y, int64_t N, int64_t C) { for (int64_t i = 0; i < N * C; ++i) y[i] = 1; }\n'
SLEEPS = '#include "kernel.h"\n#include <unistd.h>\nvoid relu(const float*, float*, int64_t, int64_t) { for (;;) usleep(1000); }\n'


def call(*arguments, stdin=None, timeout=300, build=build):
    return subprocess.run([assay, "score", "--build", build, *arguments], input=stdin, capture_output=True, text=True, timeout=timeout)


def lines(samples, *arguments):
    text = "".join((sample if isinstance(sample, str) else json.dumps(sample)) + "\n" for sample in samples)
    done = call("--jsonl", "-", *arguments, stdin=text)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def work_folders():
    folder = build / "score"
    return [path for path in folder.iterdir() if path.name.startswith("work.")] if folder.exists() else []


class One(unittest.TestCase):
    def source(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".cpp")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return file.name

    def test_right_wrong_and_broken(self):
        for text, verdict, reward, code in [(RELU, "PASS", 1, 0), (WRONG, "WRONG_RESULT", 0, 1), ("int x = ;", "COMPILE_ERROR", 0, 1)]:
            with self.subTest(verdict=verdict):
                done = call("--task", "relu", "--source", self.source(text))
                answer = json.loads(done.stdout)
                self.assertEqual((answer["verdict"], answer["reward"], done.returncode), (verdict, reward, code), done.stdout + done.stderr)
                self.assertFalse(answer["masked"])
                self.assertNotIn("seed", answer["stages"].get("test", {}))

    def test_several_files(self):
        files = {"relu.cpp": '#include "step.h"\nvoid relu(const float* x, float* y, int64_t N, int64_t C) { for (int64_t i = 0; i < N * C; ++i) y[i] = step(x[i]); }\n',
                 "step.h": "float step(float);\n", "step.cpp": '#include "step.h"\nfloat step(float x) { return x < 0 ? 0 : x; }\n'}
        broken = {**files, "step.h": "float step(flaot);\n"}
        _, answers = lines([{"id": name, "task": "relu", "source": source} for name, source in (("right", files), ("again", files), ("broken", broken))])
        answers = {answer["id"]: answer for answer in answers}
        self.assertEqual([answers[name]["verdict"] for name in ("right", "again", "broken")], ["PASS", "PASS", "COMPILE_ERROR"], answers)
        self.assertEqual(answers["right"]["reused"] + answers["again"]["reused"], 1)
        self.assertIn("step.h:", answers["broken"]["feedback"])
        with tempfile.TemporaryDirectory() as name:
            for file, text in files.items():
                (pathlib.Path(name) / file).write_text(text)
            self.assertEqual(json.loads(call("--task", "relu", "--source", name).stdout)["verdict"], "PASS")
            for file in ("relu.cpp", "step.cpp"):
                (pathlib.Path(name) / file).unlink()
            self.assertIn("has no file .cpp", json.loads(call("--task", "relu", "--source", name).stdout)["feedback"])
            (pathlib.Path(name) / "more").mkdir()
            (pathlib.Path(name) / "more/a.cpp").write_text("")
            done = call("--task", "relu", "--source", name)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the file 'more/a.cpp' has other characters than letters, digits", done.stderr)

    def test_a_problem_that_brings_its_own_test(self):
        right = (root / "tasks/api/exclusive_scan_openmp/solution/solution.cpp").read_text()
        wrong = (root / "tests/program/wrong/exclusive_scan_openmp/is_inclusive.cpp").read_text()
        ends = right.replace("#include", "#include <unistd.h>\n#include", 1) + "\nstatic const int never = (_exit(0), 0);\n"
        asked = [("right", right, "PASS", 1), ("folder", {"solution.cpp": right}, "PASS", 1), ("wrong", wrong, "WRONG_RESULT", 0),
                 ("broken", "int x = ;", "COMPILE_ERROR", 0), ("ends", ends, "POLICY", 0)]
        _, answers = lines([{"id": name, "task": "exclusive_scan_openmp", "backend": "program", "source": source} for name, source, *_ in asked])
        answers = {answer["id"]: answer for answer in answers}
        for name, _, verdict, reward in asked:
            with self.subTest(name=name):
                self.assertEqual((answers[name]["verdict"], answers[name]["reward"]), (verdict, reward), answers[name])
        self.assertEqual(answers["right"]["stages"]["test"]["trust"], "in-process")
        self.assertIn("solution.cpp:1:9: error", answers["broken"]["feedback"])
        self.assertEqual(answers["wrong"]["feedback"], "WRONG_RESULT: the problem's test fails.\n")
        _, (timed,) = lines([{"task": "exclusive_scan_openmp", "backend": "program", "source": right, "reward": "log_speedup"}])
        self.assertIn("has no benchmark_command", timed["masked_because"])
        self.assertIn("known: program", json.loads(call("--jsonl", "-", stdin=json.dumps({"task": "exclusive_scan_openmp", "source": right})).stdout)["error"])

    def test_a_seed_is_replayed(self):
        def judged():
            answer = json.loads(call("--task", "relu", "--source", self.source(WRONG), "--seed", "42").stdout)
            for name in ("waited_s", "judged_s"):
                del answer[name]
            del answer["stages"]["compile"]["compile_ms"]
            return answer
        first = judged()
        self.assertEqual(first, judged())
        self.assertEqual(first["verdict"], "WRONG_RESULT")

    def test_bad_input_is_one_line(self):
        source = self.source(RELU)
        large = tempfile.NamedTemporaryFile(suffix=".cpp")
        self.addCleanup(large.close)
        large.truncate(100 << 20)
        for arguments, said in [(["--task", "rellu", "--source", source], "did you mean: relu"),
                                (["--task", "../relu", "--source", source], "unknown task"),
                                (["--task", "relu", "--source", large.name], "more than 1048576 bytes"),
                                (["--task", "relu", "--source", source + ".no"], "cannot be read"),
                                (["--task", "relu", "--source", source, "--backend", "cp"], "did you mean: cpp"),
                                (["--task", "relu", "--source", source, "--reward", "corect"], "unknown reward"),
                                (["--task", "relu", "--source", source, "--deadline", "0"], "--deadline"),
                                (["--task", "relu", "--source", source, "--stages", "compile,link"], "unknown stage"),
                                ([], "needs --task and --source, or --jsonl")]:
            with self.subTest(said=said):
                done = call(*arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertEqual(done.stdout, "")

        done = call("--task", "relu", "--source", source, build="/nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no build folder", done.stderr)

    def test_what_a_source_says_reaches_no_terminal(self):
        done = call("--task", "relu", "--source", self.source('#error "\x1b[31m\x9b' + '\u202e"\n'))
        self.assertTrue(all(" " <= c <= "~" or c == "\n" for c in done.stdout + done.stderr), done.stdout)
        self.assertIn("COMPILE_ERROR", done.stdout)


class Lines(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(work_folders(), [])

    def test_each_line_has_an_answer(self):
        done, answers = lines([{"id": "right", "task": "relu", "source": RELU}, "", '{"task": "relu", "sour', {"id": "wrong", "task": "relu", "source": WRONG},
                               {"id": "unknown", "task": "nothing", "source": RELU}, {"task": "relu", "source": RELU, "deadline_s": 0},
                               {"id": "compiled", "task": "relu", "source": RELU, "stages": ["compile"]}, "[" * 100000,
                               {"id": "large", "task": "relu", "source": "x" * (100 << 20)}, {"id": "last", "task": "relu", "source": "int x = ;"}])
        by_id = {answer["id"]: answer for answer in answers}
        self.assertEqual(len(answers), 9)
        self.assertEqual({id: by_id[id]["verdict"] for id in ("right", "wrong", "compiled", "last")},
                         {"right": "PASS", "wrong": "WRONG_RESULT", "compiled": "PASS", "last": "COMPILE_ERROR"})
        self.assertTrue(by_id["compiled"]["masked"])
        for id, said in [("line-3", "line 3: sample: is no JSON"), ("unknown", "unknown task"), ("line-6", "deadline_s must be"),
                         ("line-8", "nested deeper"), ("line-9", "has more than")]:
            self.assertIn(said, by_id[id]["error"])
        self.assertEqual(done.returncode, 3)  # one has no reward
        self.assertEqual(done.stderr, "")

    def test_not_utf8(self):
        done = subprocess.run([assay, "score", "--build", build, "--jsonl", "-"], input=b'{"task":"relu","source":"\xff"}\n', capture_output=True, timeout=60)
        self.assertEqual(json.loads(done.stdout)["error"], "line 1: sample: is not UTF-8")
        self.assertEqual(done.returncode, 2)

    def test_a_source_file_is_judged_as_it_is(self):
        """As the build does; what is printed is ASCII all the same."""
        with tempfile.NamedTemporaryFile(suffix=".cpp") as source:
            source.write(RELU.encode() + b"// \xff\xfe\x00\n")
            source.flush()
            done = call("--task", "relu", "--source", source.name)
            self.assertEqual((json.loads(done.stdout)["verdict"], done.returncode), ("PASS", 0))
            source.write(b"\xff\xfe int\n")
            source.flush()
            done = call("--task", "relu", "--source", source.name)
            self.assertEqual((json.loads(done.stdout)["verdict"], done.returncode), ("COMPILE_ERROR", 1))
            self.assertTrue(done.stdout.isascii() and done.stderr == "")

    def test_who_reads_the_answers_goes_away(self):
        process = subprocess.Popen([assay, "score", "--build", build, "--jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.close()
        process.stdin.write("".join(json.dumps({"task": "relu", "source": f"#error {i}\n"}) + "\n" for i in range(40)))
        process.stdin.close()
        self.assertIn("the reader is gone", process.stderr.read())
        self.assertEqual(process.wait(60), 2)
        process.stderr.close()

    def test_lines_that_cannot_be_read(self):
        done = call("--jsonl", "/nowhere/x.jsonl")
        self.assertEqual((done.returncode, "cannot be read" in done.stderr), (2, True))
        done = call("--jsonl", "/")
        self.assertEqual((done.returncode, "cannot be read" in done.stderr), (2, True), done.stderr)

    def test_equal_sources_are_judged_once(self):
        same = [{"id": str(i), "task": "relu", "source": RELU} for i in range(12)]
        _, answers = lines(same)
        self.assertEqual(sum(answer["reused"] for answer in answers), 11)
        self.assertEqual({answer["verdict"] for answer in answers}, {"PASS"})
        _, answers = lines(same[:3], "--no-reuse")
        self.assertEqual(sum(answer["reused"] for answer in answers), 0)
        _, answers = lines([{**sample, "reuse": False} for sample in same[:3]])
        self.assertEqual(sum(answer["reused"] for answer in answers), 0)

    def test_a_stuck_one_blocks_nobody(self):
        stuck = [{"id": f"stuck{i}", "task": "relu", "source": SLEEPS + f"// {i}\n", "deadline_s": 3} for i in range(2)]
        began = time.monotonic()
        _, answers = lines(stuck[:1] + [{"id": "right", "task": "relu", "source": RELU}] + stuck[1:], "--jobs", "2")
        self.assertEqual([answer["verdict"] for answer in answers], ["PASS", "TIMEOUT", "TIMEOUT"])
        self.assertEqual(answers[0]["id"], "right")
        self.assertEqual([answer["reward"] for answer in answers], [1, 0, 0])
        self.assertIn("deadline", answers[1]["stages"]["test"]["detail"])
        self.assertLess(time.monotonic() - began, 60)

    def test_a_timing_gives_a_speed(self):
        _, answers = lines([{"id": "timed", "task": "relu", "source": RELU, "reward": "moka"}, {"id": "not", "task": "relu", "source": WRONG, "reward": "moka"},
                            {"id": "other", "task": "relu", "source": RELU}])
        by_id = {answer["id"]: answer for answer in answers}
        timed = by_id["timed"]
        self.assertIn(timed["verdict"], ("PASS", "INCONCLUSIVE"))  # on a machine that is busy
        self.assertIn("bench", timed["stages"])
        if timed["verdict"] == "PASS":
            self.assertGreater(timed["reward"], 0.6)
            self.assertAlmostEqual(sum(timed["parts"].values()), timed["reward"])
        self.assertEqual(by_id["not"]["reward"], 0.3)
        self.assertNotIn("bench", by_id["not"]["stages"])

    def test_a_reward_without_its_stage_is_refused(self):
        _, answers = lines([{"task": "relu", "source": RELU, "reward": "roofline", "stages": ["test"]}])
        self.assertIn("needs the stage bench", answers[0]["error"])

    def test_it_ends_in_order_when_it_is_asked_to(self):
        process = subprocess.Popen([assay, "score", "--build", build, "--jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write("".join(json.dumps({"id": str(i), "task": "relu", "source": SLEEPS + f"// {i}\n"}) + "\n" for i in range(5)))
        process.stdin.flush()
        time.sleep(2)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        answers = [json.loads(line) for line in out.splitlines()]
        self.assertTrue(all(answer["masked"] for answer in answers), out)

    def test_it_ends_after_the_last_line_too(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as samples:
            samples.write("".join(json.dumps({"id": str(i), "task": "relu", "source": SLEEPS + f"// last {i}\n"}) + "\n" for i in range(3)))
            samples.flush()
            process = subprocess.Popen([assay, "score", "--build", build, "--jsonl", samples.name], stdout=subprocess.PIPE, text=True)
            time.sleep(2)
            process.send_signal(signal.SIGTERM)
            out, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        answers = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(len(answers), 3)
        self.assertTrue(all(answer["masked"] for answer in answers), out)

    def test_killed_it_leaves_nothing_that_the_next_does_not_remove(self):
        process = subprocess.Popen([assay, "score", "--build", build, "--jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write(json.dumps({"task": "relu", "source": SLEEPS}) + "\n")
        process.stdin.flush()
        time.sleep(3)
        mine = [path for path in pathlib.Path("/proc").glob("[0-9]*") if self.is_of(path, process.pid)]
        process.kill()
        process.communicate()
        time.sleep(1)
        self.assertEqual([path for path in mine if path.exists() and "Z" not in (path / "stat").read_text().split()[2]], [])
        lines([{"task": "relu", "source": RELU}])

    @staticmethod
    def is_of(path, pid):
        try:
            return int((path / "stat").read_text().rsplit(")", 1)[1].split()[1]) == pid
        except (OSError, IndexError):
            return False


if __name__ == "__main__":
    os.environ.pop("ASSAY_SEED", None)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
