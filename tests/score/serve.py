#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay serve, by HTTP and by bytes that are none: serve.py ASSAY BUILD SOURCE"""
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import time
import unittest

import yaml

assay, build, root = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
RELU = (root / "references/activation/relu.cpp").read_text()
ONES = '#include "kernel.h"\nvoid relu(const float*, float* y, int64_t N, int64_t C) { for (int64_t i = 0; i < N * C; ++i) y[i] = 1; }\n'
SLEEPS = '#include "kernel.h"\n#include <unistd.h>\nvoid relu(const float*, float*, int64_t, int64_t) { for (;;) usleep(1000); }\n'
CHEATS = '#include "kernel.h"\n#include <unistd.h>\nvoid relu(const float*, float*, int64_t, int64_t) { if (fork() == 0) _exit(0); }\n'
DESCRIPTION = yaml.safe_load((root / "harness/score/openapi.yaml").read_text())
TOKEN = "secret-0123456789"


class Server:
    def __init__(self, *arguments, token=None):
        environment = {key: value for key, value in os.environ.items() if key not in ("ASSAY_TOKEN", "ASSAY_SEED")}
        if token:
            environment["ASSAY_TOKEN"] = token
        self.process = subprocess.Popen([assay, "serve", "--build", build, "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment)
        self.first_line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+),", self.first_line)[1])

    def ask(self, method, path, body=None, type="application/json", timeout=3600, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if body is not None:
            headers["Content-Type"] = type
        connection.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response, text

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def score(self, **sample):
        headers = {key: sample.pop(key) for key in ("Prefer", "Authorization") if key in sample}
        response, text = self.ask("POST", "/score", {"task": "relu", **sample}, **headers)
        return response.status, json.loads(text)

    def batch(self, lines):
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        response, text = self.ask("POST", "/score/batch", text, type="application/x-ndjson")
        return response.status, [json.loads(line) for line in text.splitlines()]

    def raw(self, data, timeout=20):
        """What comes back for bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            got = b""
            try:
                while piece := connection.recv(65536):
                    got += piece
            except OSError:
                pass
            return got

    def metric(self, name):
        return float(re.search(rf"^{re.escape(name)} (.*)$", self.get("/metrics")[1], re.MULTILINE)[1])

    def children(self):
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid:
                found.append(path.parent.name)
        return found

    def end(self, signals=(signal.SIGTERM,), timeout=120):
        for each in signals:
            self.process.send_signal(each)
            while "ShdPnd:\t0000000000000000" not in pathlib.Path(f"/proc/{self.process.pid}/status").read_text():
                time.sleep(0.01)  # of two that are pending one is delivered
        out, err = self.process.communicate(timeout=timeout)
        return self.process.returncode, out, err


class Serving(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        code, _, err = cls.server.end()
        assert (code, err) == (0, ""), (code, err)

    def test_health_tasks_and_prompt(self):
        response, text = self.server.get("/health")
        self.assertEqual((response.status, json.loads(text)["status"]), (200, "ok"))
        tasks = {task["name"]: task for task in json.loads(self.server.get("/tasks")[1])["tasks"]}
        self.assertEqual(tasks["relu"]["category"], "activation")
        self.assertIn("cpp", tasks["relu"]["backends"])
        response, text = self.server.get("/tasks/relu/prompt")
        self.assertEqual(response.status, 200)
        self.assertEqual(text, subprocess.run([assay, "prompt", "relu", "--build", build], capture_output=True, text=True).stdout)
        for path in ("/tasks/rellu/prompt", "/tasks/relu/prompt?backend=no", "/tasks/..%2f..%2fetc/prompt", "/tasks//prompt", "/tasks/relu"):
            self.assertEqual(self.server.get(path)[0].status, 404, path)

    def test_right_wrong_and_cheating(self):
        for source, verdict, reward in [(RELU, "PASS", 1), (ONES, "WRONG_RESULT", 0), (CHEATS, "POLICY", 0), ("int x = ;", "COMPILE_ERROR", 0)]:
            status, answer = self.server.score(source=source)
            self.assertEqual((status, answer["verdict"], answer["reward"], answer["masked"]), (200, verdict, reward, False), answer)

    def test_an_answer_is_found_by_its_id(self):
        status, answer = self.server.score(id="mine", source=RELU)
        self.assertEqual(status, 200)
        response, text = self.server.get("/score/mine")
        self.assertEqual((response.status, json.loads(text)), (200, answer))
        self.assertEqual(self.server.score(id="mine", source=RELU)[1], answer)  # asked again, answered at once
        for path in ("/score/other", "/score/", "/score/a/b", "/score/%2e%2e", "/score/" + "a" * 5000):
            self.assertEqual(self.server.get(path)[0].status, 404, path[:50])

    def test_respond_async(self):
        status, answer = self.server.score(id="slow", source=SLEEPS, deadline_s=2, Prefer="respond-async")
        self.assertEqual((status, answer), (202, {"id": "slow", "status": "under way"}))
        self.assertEqual(self.server.get("/score/slow")[0].status, 202)
        self.assertEqual(self.server.score(id="slow", source=RELU)[0], 409)
        response, text = self.server.get("/score/slow", Prefer="wait=60")
        self.assertEqual((response.status, json.loads(text)["verdict"]), (200, "TIMEOUT"))

    def test_a_batch_is_answered_line_by_line(self):
        status, answers = self.server.batch([{"id": "b1", "task": "relu", "source": RELU}, '{"task', {"id": "b2", "task": "relu", "source": ONES}, "",
                                             {"task": "nothing", "source": ""}, {"id": "b1", "task": "relu", "source": RELU}, {"task": "relu", "source": RELU}])
        self.assertEqual(status, 200)
        self.assertEqual(len(answers), 6)
        self.assertEqual(sorted(answer.get("verdict", "error") for answer in answers), ["PASS", "PASS", "WRONG_RESULT", "error", "error", "error"])
        self.assertEqual([answer["verdict"] for answer in answers if answer["id"] == "b2"], ["WRONG_RESULT"])
        self.assertTrue(any(re.fullmatch(r"[0-9a-f]{32}\.line-7", answer["id"]) for answer in answers))
        self.assertEqual(self.server.batch([]), (200, []))

    def test_bad_input_is_one_status_and_one_line(self):
        sample = {"task": "relu", "source": RELU}
        for body, type, status, said in [
                ('{"task": "relu", "sour', "application/json", 400, "is no JSON"), ("[" * 100000, "application/json", 400, "nested deeper"),
                (b'{"task":"relu","source":"\xff"}', "application/json", 400, "not UTF-8"), ("", "application/json", 400, "is no JSON"),
                (json.dumps({**sample, "task": "rellu"}), "application/json", 400, "did you mean: relu"),
                (json.dumps({**sample, "task": "../relu"}), "application/json", 400, "must be a name"),
                (json.dumps({**sample, "id": "../../x"}), "application/json", 400, "id must be"),
                (json.dumps({**sample, "backend": "fortran"}), "application/json", 400, "takes no candidates of backend"),
                (json.dumps({**sample, "deadline_s": 0}), "application/json", 400, "deadline_s must be"),
                (json.dumps({**sample, "reward": "gold"}), "application/json", 400, "unknown reward"),
                (json.dumps({**sample, "extra": 1}), "application/json", 400, "unknown key"),
                (json.dumps(sample), "text/plain", 415, "must be application/json"),
                (json.dumps({**sample, "source": "x" * (1 << 20) + "x"}), "application/json", 400, "more than the limit"),
                ("x" * (10 << 20), "application/json", 413, "has more than"), ("x" * (100 << 20), "application/json", 413, "has more than")]:
            with self.subTest(said=said, size=len(body)):
                response, text = self.server.ask("POST", "/score", body, type=type)
                self.assertEqual(response.status, status, text)
                self.assertIn(said, json.loads(text)["error"])
                self.assertEqual(text.count("\n"), 1)
        self.assertEqual(self.server.get("/health")[0].status, 200)

    def test_bad_input_of_the_other_routes(self):
        lines, json_type = "application/x-ndjson", "application/json"
        row = {"task": "relu", "response": {"output": [{"type": "message", "content": "```cpp\nx\n```"}]}}
        asked = {"task_id": "k", "entry_point": "relu", "kernel_code": "x"}
        for path, body, type, status, said in [
                ("/score/batch", "x", json_type, 415, "must be application/x-ndjson"), ("/score/batch", "x\n" * (50 << 20), lines, 413, "has more than"),
                ("/score/batch", "x\n" * (1 << 20), lines, 413, "at most 65536 lines"),
                ("/verify", "{", json_type, 400, "is no JSON"), ("/verify", b'{"task":"\xff"}', json_type, 400, "not UTF-8"), ("/verify", "[]", json_type, 400, "must be a JSON object"),
                ("/verify", '{"a":' * 1000, json_type, 400, "nested deeper"), ("/verify", {"task": "relu"}, json_type, 400, "response.output must be a list"),
                ("/verify", {**row, "task": "rellu"}, json_type, 400, "did you mean: relu"), ("/verify", {**row, "deadline_s": 0}, json_type, 400, "deadline_s must be"),
                ("/verify", {**row, "response": {"output": []}}, json_type, 400, "has no message"), ("/verify", "x" * (100 << 20), json_type, 413, "has more than"),
                ("/evaluate", b'\xff', json_type, 400, "is no"), ("/evaluate", {"task_id": "k"}, json_type, 400, "needs the string"),
                ("/evaluate", {**asked, "timeout": 0}, json_type, 400, "deadline_s must be"), ("/evaluate", {**asked, "entry_point": "rellu"}, json_type, 400, "did you mean: relu"),
                ("/evaluate", {**asked, "kernel_code": "x" * (2 << 20)}, json_type, 400, "more than the limit"), ("/evaluate", "x" * (100 << 20), json_type, 413, "has more than")]:
            with self.subTest(path=path, said=said):
                response, text = self.server.ask("POST", path, body, type=type)
                self.assertEqual(response.status, status, text)
                self.assertIn(said, json.loads(text)["error"])
                self.assertEqual(text.count("\n"), 1)
        # A bad line of a batch is answered in its place; what is around it is judged.
        response, text = self.server.ask("POST", "/score/batch", b'{"id":"good1","task":"relu","source":"x"}\n{"task":"relu","source":"\xff"}\n' + b"x" * (7 << 20)
                                         + b'\n{"task":"relu","source":"x","deadline_s":0}\n{"id":"good2","task":"relu","source":"x"}\n{"task":"relu","sou', type=lines)
        answers = [json.loads(line) for line in text.splitlines()]
        self.assertEqual((response.status, sorted(answer["id"] for answer in answers if "verdict" in answer)), (200, ["good1", "good2"]))
        errors = " ".join(answer["error"] for answer in answers if "error" in answer)
        for said in ("line 2: sample: is not UTF-8", "line 3: sample: has more than", "line 4: sample: deadline_s must be", "line 6: sample: is no JSON"):
            self.assertIn(said, errors)

    def test_a_stuck_one_blocks_nobody(self):
        self.server.score(id="stuck", source=SLEEPS + "// stuck\n", deadline_s=20, Prefer="respond-async")
        for i in range(3):
            self.assertEqual(self.server.score(source=ONES + f"// beside a stuck one {i}\n")[1]["verdict"], "WRONG_RESULT")
        self.assertEqual(self.server.get("/score/stuck")[0].status, 202)  # all that while
        self.assertEqual(json.loads(self.server.get("/score/stuck", Prefer="wait=60")[1])["verdict"], "TIMEOUT")

    def test_every_route_is_described(self):
        known = set(re.findall(r"(GET|POST) (/[^ ,\"]*)", json.loads(self.server.get("/nothing")[1])["error"].split("known: ")[1]))
        described = {(method.upper(), path) for path, methods in DESCRIPTION["paths"].items() for method in methods}
        self.assertEqual(known, described)
        self.assertEqual(yaml.safe_load(self.server.get("/openapi.yaml")[1]), DESCRIPTION)

    def test_answers_are_as_described(self):
        import jsonschema
        schemas = DESCRIPTION["components"]

        def check(name, value):
            jsonschema.validate(value, {"$ref": f"#/components/schemas/{name}", "components": schemas})
        for source, more in [(RELU, {}), (ONES, {}), (RELU, {"stages": ["compile"]}), (RELU, {"reward": "log_speedup"})]:
            check("Answer", self.server.score(source=source, **more)[1])
            check("Sample", {"task": "relu", "source": source, **more})
        check("Error", self.server.score(source=RELU, task="x")[1])
        check("Health", json.loads(self.server.get("/health")[1]))
        check("Tasks", json.loads(self.server.get("/tasks")[1]))

    def test_nemo_gyms_shape(self):
        def verify(text, **more):
            request = {"responses_create_params": {"input": [{"role": "user", "content": "relu?"}]}, "task": "relu", **more,
                       "response": {"id": "r", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}]}}
            response, text = self.server.ask("POST", "/verify", request)
            return response.status, json.loads(text), request
        status, response, request = verify(f"Here it is.\n\n```cpp\n{RELU}```\n")
        self.assertEqual((status, response["reward"], response["mask_sample"]), (200, 1, False))
        self.assertEqual({key: response[key] for key in request}, request)
        self.assertEqual(verify(f"```cpp\n{ONES}```\n")[1]["reward"], 0)
        self.assertEqual(verify(f"```cpp\n{CHEATS}```\n")[1]["assay"]["verdict"], "POLICY")
        status, response, _ = verify("I cannot do that.")
        self.assertEqual((status, response["reward"], response["assay"]["verdict"]), (200, 0, "COMPILE_ERROR"))
        self.assertEqual(verify(f"```cpp\n{RELU}```\n", stages=["compile"])[0], 503)  # masked
        self.assertEqual(verify(RELU, task="nothing")[0], 400)

    def test_a_problem_that_brings_its_own_test(self):
        solution = (root / "tasks/api/exclusive_scan_openmp/solution/solution.cpp").read_text()
        response, prompt = self.server.get("/tasks/exclusive_scan_openmp/prompt?backend=program")
        self.assertEqual(response.status, 200, prompt)
        self.assertIn("exclusive_scan() writes to sums[i]", prompt)
        reply = f"Here:\n```cpp\n// file: solution.cpp\n{solution}```\n"
        row = {"task": "exclusive_scan_openmp", "backend": "program", "reward": "correct", "response": {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": reply}]}]}}
        response, text = self.server.ask("POST", "/verify", row)
        self.assertEqual((response.status, json.loads(text)["reward"]), (200, 1), text)

    def test_kernelgyms_shape(self):
        def evaluate(**more):
            response, text = self.server.ask("POST", "/evaluate", {"task_id": "k", "entry_point": "relu", "run_performance": False, **more})
            return response.status, json.loads(text)
        status, response = evaluate(kernel_code=RELU, reference_code="import torch", backend="cpp", num_correct_trials=5)
        self.assertEqual((status, response["status"], response["compiled"], response["correctness"]), (200, "completed", True, True))
        status, response = evaluate(kernel_code=ONES)
        self.assertEqual((response["compiled"], response["correctness"]), (True, False))
        status, response = evaluate(kernel_code="int x = ;")
        self.assertEqual((response["compiled"], response["correctness"]), (False, False))
        self.assertEqual(evaluate(kernel_code=RELU, task_id="../x")[0], 400)

    def test_metrics(self):
        before = self.server.metric('assay_samples_total{verdict="WRONG_RESULT"}') if "WRONG_RESULT" in self.server.get("/metrics")[1] else 0
        self.server.score(source=ONES)
        self.assertEqual(self.server.metric('assay_samples_total{verdict="WRONG_RESULT"}'), before + 1)

    def test_bytes_that_are_no_request(self):
        body = json.dumps({"task": "relu", "source": RELU})
        head = f"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        for data in [b"\x00" * 1000, b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"/" * 100000 + b" HTTP/1.1\r\n\r\n", b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
                     b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
                     b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
                     b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde",
                     b"GET /health HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % i for i in range(20000)) + b"\r\n", b"GET /health HTTP/1.1\r\nX: " + b"y" * 100000 + b"\r\n\r\n",
                     head.encode() + b"\r\n" + body[:50].encode(), b"", b"GET /score/a\r\nX: y HTTP/1.1\r\n\r\n"]:
            got = self.server.raw(data)
            self.assertFalse(got.startswith(b"HTTP/1.1 500"), (data[:80], got[:200]))
            self.assertEqual(self.server.get("/health")[0].status, 200, data[:80])

    def test_what_follows_a_request_is_no_request(self):
        other = b"GET /tasks HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for first in [b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(other), b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
                      b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(other)]:
            got = self.server.raw(first + other)
            self.assertLessEqual(got.count(b"HTTP/1.1 "), 1, got[:300])  # none where closing with bytes unread takes it along

    def test_pages_of_a_browser_get_nothing(self):
        for host in ("evil.example:80", "127.evil.example", "127.0.0.1.evil.example:80"):
            response, text = self.server.get("/tasks", Host=host)
            self.assertEqual((response.status, "Host header" in text), (403, True), host)
        for host in ("localhost", f"127.0.0.1:{self.server.port}", "[::1]:80"):
            self.assertEqual(self.server.get("/tasks", Host=host)[0].status, 200, host)

    def test_who_goes_away_disturbs_nobody(self):
        body = json.dumps({"id": "gone", "task": "relu", "source": ONES + "// gone\n"})
        with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
            connection.sendall(f"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
            time.sleep(0.3)
        lines = "".join(json.dumps({"id": f"gone{i}", "task": "relu", "source": ONES + f"// gone {i}\n"}) + "\n" for i in range(4))
        with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
            connection.sendall(f"POST /score/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: {len(lines)}\r\n\r\n{lines}".encode())
            time.sleep(0.3)
        # In the middle of a body, and with a reset: no sample comes of it.
        with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(f"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body) + 99}\r\n\r\n".encode() + body.replace("gone", "half").encode())
            time.sleep(0.3)
        self.assertEqual(self.server.get("/score/half")[0].status, 404)
        for id in ("gone", "gone0", "gone3"):
            response, text = self.server.get(f"/score/{id}", Prefer="wait=60")
            self.assertEqual((response.status, json.loads(text)["verdict"]), (200, "WRONG_RESULT"))

    def test_sources_leave_nothing(self):
        hostile = ['#include "/etc/shadow"\n', '#include "../../../harness/cases/include/assay/cases/expected.h"\n', 'asm(".incbin \\"/etc/passwd\\"");\n',
                   "".join(f"#include {name}\n" for name in ('"source.cpp"', "</proc/self/environ>")), "#pragma GCC pch_preprocess \"/tmp/x\"\n",
                   "\0\0\0\0", "#if 1\n" * 10000, "template <int N> struct A { A<N + 1> a; }; A<0> a;\n"]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda source: self.server.score(source=source)[1], hostile))
        self.assertTrue(all(answer["reward"] == 0 and answer["verdict"].startswith("COMPILE") for answer in answers), answers)
        self.assertFalse(any("root:" in json.dumps(answer) for answer in answers))
        self.assertEqual(list((build / "score").glob("work.*/samples/*")), [])


class Limits(unittest.TestCase):
    def serve(self, *arguments, **more):
        server = Server(*arguments, **more)
        self.addCleanup(server.process.communicate)
        self.addCleanup(server.process.kill)
        return server

    def test_a_full_queue_says_429(self):
        server = self.serve("--most-waiting", "3", "--jobs", "1")
        for i in range(6):
            status, answer = server.score(id=str(i), source=SLEEPS + f"// {i}\n", deadline_s=15, Prefer="respond-async")
            if status == 429:
                break
        self.assertEqual(status, 429)
        self.assertIn("wait already", answer["error"])
        response, _ = server.ask("POST", "/score", {"task": "relu", "source": "x"})
        self.assertTrue(response.getheader("Retry-After"))
        status, lines = server.batch([{"task": "relu", "source": f"// {i}"} for i in range(4)])
        self.assertEqual(status, 429)
        self.assertEqual(server.end((signal.SIGTERM, signal.SIGTERM))[0], 0)

    def test_a_token_is_demanded(self):
        server = self.serve(token=TOKEN)
        self.assertNotIn(TOKEN, server.first_line)
        self.assertEqual(server.get("/health")[0].status, 200)
        for authorization in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": "Basic " + TOKEN}, {"Authorization": "Bearer "}):
            for method, path, body in [("GET", "/tasks", None), ("GET", "/metrics", None), ("GET", "/score/x", None), ("POST", "/score", {"task": "relu", "source": RELU}),
                                       ("POST", "/verify", {}), ("GET", "/nothing", None), ("DELETE", "/", None)]:
                response, text = server.ask(method, path, body, **authorization)
                self.assertEqual(response.status, 401, (path, authorization))
                self.assertNotIn(TOKEN, text)
                self.assertEqual(response.getheader("WWW-Authenticate"), "Bearer")
        self.assertEqual(server.score(source=RELU, Authorization="Bearer " + TOKEN)[1]["verdict"], "PASS")
        # Neither a stage nor a compiler has it in its environment.
        environment = pathlib.Path(f"/proc/{server.process.pid}")
        server.score(id="s", source=SLEEPS, deadline_s=5, Prefer="respond-async", Authorization="Bearer " + TOKEN)
        time.sleep(2)
        for child in server.children():
            self.assertNotIn(TOKEN.encode(), pathlib.Path(f"/proc/{child}/environ").read_bytes())
        self.assertTrue(environment.exists())
        self.assertEqual(server.end((signal.SIGTERM, signal.SIGTERM))[0], 0)

    def test_elsewhere_needs_a_token(self):
        done = subprocess.run([assay, "serve", "--build", build, "--port", "0", "--host", "0.0.0.0"], capture_output=True, text=True, timeout=30,
                              env={key: value for key, value in os.environ.items() if key != "ASSAY_TOKEN"})
        self.assertEqual((done.returncode, "no token is set" in done.stderr), (2, True))

    def test_a_port_that_is_taken(self):
        server = self.serve()
        done = subprocess.run([assay, "serve", "--build", build, "--port", str(server.port)], capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, "cannot listen" in done.stderr), (2, True))

    def test_sigterm_drains(self):
        server = self.serve("--jobs", "1")
        server.score(source=ONES)  # warm
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(server.score, id=f"d{i}", source=ONES + f"// {i}\n") for i in range(4)]
            time.sleep(0.2)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
            try:
                self.assertEqual(server.score(source=RELU)[0], 503)
                self.assertEqual(server.get("/health")[0].status, 503)
            except OSError:  # it has ended already
                pass
            self.assertEqual([answer.result()[0] for answer in asked], [200] * 4)
        server.process.wait(30)
        self.assertEqual(server.process.returncode, 0)
        self.assertEqual(list((build / "score").glob("work.*")), [])

    def test_a_deadline_leaves_no_process(self):
        server = self.serve()
        answers = [server.score(source=SLEEPS + f"// {i}\n", deadline_s=2)[1]["verdict"] for i in range(3)]
        self.assertEqual(answers, ["TIMEOUT"] * 3)
        time.sleep(3)
        self.assertEqual(server.children(), [])  # dead ones that nobody buried are among them
        self.assertEqual(server.end()[0], 0)

    def test_a_second_sigterm_ends_at_once(self):
        server = self.serve()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            asked = pool.submit(server.score, source=SLEEPS)
            time.sleep(3)
            began = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.2)
            server.process.send_signal(signal.SIGTERM)
            status, answer = asked.result()
            self.assertEqual((status, answer["reward"], answer["masked"]), (200, None, True))
        server.process.wait(30)
        self.assertLess(time.monotonic() - began, 15)

    def test_our_own_failure_is_masked(self):
        server = self.serve()
        server.score(source=RELU)
        (work,) = (build / "score").glob("work.*")
        for cases in work.glob("tasks/relu.*/cases.bin"):
            cases.write_bytes(b"damaged")
        status, answer = server.score(source=ONES)
        self.assertEqual((status, answer["reward"], answer["masked"], answer["verdict"]), (200, None, True, "HARNESS_ERROR"))
        self.assertEqual(server.metric("assay_samples_masked_total"), 1)
        self.assertEqual(server.end()[0], 0)

    def test_a_killed_stage_is_masked(self):
        server = self.serve("--jobs", "1")
        server.score(source=RELU)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            asked = pool.submit(server.score, source=SLEEPS)
            time.sleep(3)
            for child in server.children():
                os.kill(int(child), signal.SIGKILL)
            status, answer = asked.result()
        self.assertEqual((status, answer["reward"], answer["masked"]), (200, None, True))
        self.assertEqual(server.score(source=RELU)[1]["verdict"], "PASS")
        self.assertEqual(server.end()[0], 0)

    def test_many_connections_wait_for_each_other(self):
        server = self.serve("--connections", "4")
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            answers = list(pool.map(lambda i: server.score(source=f"#error {i}\n")[1]["verdict"], range(32)))
        self.assertEqual(answers, ["COMPILE_ERROR"] * 32)
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        self.assertEqual(server.get("/health")[0].status, 200)
        for connection in idle:
            connection.close()
        self.assertEqual(server.end()[0], 0)

    def test_cases_are_drawn_anew(self):
        server = self.serve("--redraw", "2", "--no-reuse")
        cases = [server.score(source=ONES)[1]["cases"] for _ in range(5)]
        self.assertEqual(len(set(cases)), 3)
        self.assertEqual(len(list((build / "score").glob("work.*/tasks/relu.*"))), 1)
        seeds = [json.loads(line) for line in (build / "score/cases.jsonl").read_text().splitlines()]
        self.assertTrue(set(cases) <= {line["cases"] for line in seeds})
        self.assertEqual((build / "score/cases.jsonl").stat().st_mode & 0o777, 0o600)
        self.assertEqual(server.end()[0], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
