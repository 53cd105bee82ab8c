#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What others call: Harbor's folders and the client of harness/python, each with a right, a wrong and a cheating kernel.

usage: front_ends.py ASSAY BUILD SOURCE [VENV CMAKE]

With VENV, a folder, the installed client is installed there with `verifiers` and `inspect-ai` from PyPI, which judge through it.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

assay, build, root = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
venv, cmake = (pathlib.Path(sys.argv[4]), sys.argv[5]) if len(sys.argv) > 5 else (None, None)
sys.argv[1:] = sys.argv[1:4]
sys.path[:0] = [str(root / "harness/python"), str(root / "tests/score")]
import kernelassay_client  # noqa: E402
import serve  # noqa: E402

KERNELS = {"PASS": serve.RELU, "WRONG_RESULT": serve.ONES, "POLICY": serve.CHEATS}


class FrontEnds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = serve.Server(token=serve.TOKEN)
        cls.url = f"http://127.0.0.1:{cls.server.port}"

    @classmethod
    def tearDownClass(cls):
        assert cls.server.end()[0] == 0

    def test_harbors_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            done = subprocess.run([assay, "export", "harbor", "--build", build, "--out", out, "--task", "relu", "--server", self.url, "--deadline", "60"],
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("/app/relu.cpp", (out / "relu/instruction.md").read_text())
            self.assertIn("void relu(", (out / "relu/environment/kernel.h").read_text())
            try:
                import tomllib
                self.assertEqual(tomllib.loads((out / "relu/task.toml").read_text())["verifier"]["env"]["ASSAY_SERVER"], self.url)
            except ImportError:  # before Python 3.11
                pass
            for verdict, source in [*KERNELS.items(), ("COMPILE_ERROR", ""), ("REFUSED", "x" * (2 << 20))]:
                with self.subTest(verdict=verdict):
                    rewards = out / verdict
                    answer = out / "answer.cpp"
                    answer.write_text(source)
                    done = subprocess.run([out / "relu/tests/test.sh"], capture_output=True, text=True, timeout=200,
                                          env={**os.environ, "ASSAY_TOKEN": serve.TOKEN, "REWARD_FOLDER": str(rewards), "ANSWER": str(answer)})
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(json.loads((rewards / "reward.json").read_text())["reward"], 1 if verdict == "PASS" else 0)
            done = subprocess.run([out / "relu/tests/test.sh"], capture_output=True, text=True, timeout=200,
                                  env={**os.environ, "ASSAY_TOKEN": "wrong", "REWARD_FOLDER": str(out / "no"), "ANSWER": str(answer)})
            self.assertNotEqual(done.returncode, 0)
            self.assertFalse((out / "no/reward.json").exists())

    def test_export_says_what_is_wrong(self):
        for arguments, said in [(["--task", "rellu"], "did you mean: relu"), (["--suite", "no"], "no task"), (["--reward", "gold"], "unknown reward"),
                                (["--server", 'http://x"\n'], "no address"), (["--backend", "cp"], "did you mean: cpp")]:
            done = subprocess.run([assay, "export", "harbor", "--build", build, "--out", "/nowhere/x", *arguments], capture_output=True, text=True)
            self.assertEqual((done.returncode, said in done.stderr), (2, True), done.stderr)

    def test_the_client(self):
        judge = kernelassay_client.Judge(self.url, serve.TOKEN)
        self.assertIn("relu", [task["name"] for task in judge.tasks()])
        self.assertIn("void relu(", judge.prompt("relu"))
        for verdict, source in KERNELS.items():
            self.assertEqual(judge.score("relu", source)["verdict"], verdict)
            answer = judge.score_reply("relu", f"Here.\n\n```cpp\n{source}```\n")
            self.assertEqual((answer["verdict"], answer["reward"]), (verdict, 1 if verdict == "PASS" else 0))
        with self.assertRaises(kernelassay_client.Masked):
            judge.score_reply("relu", f"```cpp\n{serve.RELU}```\n", stages=["compile"])
        for call, status in [(lambda: judge.score("rellu", ""), 400), (lambda: judge.prompt("../x"), 404),
                             (lambda: kernelassay_client.Judge(self.url, "wrong").tasks(), 401)]:
            with self.assertRaises(kernelassay_client.JudgeError) as raised:
                call()
            self.assertEqual(raised.exception.status, status)
        with self.assertRaises(kernelassay_client.JudgeError):
            kernelassay_client.Judge("http://127.0.0.1:9", tries=1).tasks()

    def in_venv(self, script):
        done = subprocess.run([venv / "bin/python", "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=600,
                              env={**os.environ, "ASSAY_SERVER": self.url, "ASSAY_TOKEN": serve.TOKEN, "KERNELS": json.dumps(KERNELS),
                                   "INSPECT_LOG_DIR": str(venv / "logs")})
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return json.loads(done.stdout.splitlines()[-1])

    @unittest.skipUnless(venv, "needs packages of PyPI")
    def test_verifiers(self):
        self.assertEqual(self.in_venv("""
            import asyncio, json, os
            from kernelassay_client.verifiers_environment import load_environment
            environment = load_environment(tasks=["relu"])
            row = environment.dataset[0]
            rubrics = [environment.rubric, *getattr(environment.rubric, "rubrics", [])]
            (reward,) = [each for rubric in rubrics for each in rubric.funcs if each.__name__ == "kernel_reward"]
            info = json.loads(row["info"]) if isinstance(row["info"], str) else row["info"]
            said = {}
            for verdict, source in json.loads(os.environ["KERNELS"]).items():
                completion = [{"role": "assistant", "content": "```cpp\\n" + source + "```"}]
                said[verdict] = asyncio.run(reward(completion=completion, info=info, state={}))
            print(json.dumps(said))
        """), {"PASS": 1, "WRONG_RESULT": 0, "POLICY": 0})

    @unittest.skipUnless(venv, "needs packages of PyPI")
    def test_inspect(self):
        self.assertEqual(self.in_venv("""
            import json, os
            from inspect_ai import eval
            from inspect_ai.model import ModelAPI, ModelOutput, get_model, modelapi
            from kernelassay_client.inspect_scorer import kernels

            @modelapi(name="says")  # Inspect's own mock counts tokens with a table from the network
            class Says(ModelAPI):
                async def generate(self, input, tools, tool_choice, config):
                    return ModelOutput.from_content("says", "```cpp\\n" + json.loads(os.environ["KERNELS"])[self.model_name] + "```")

            said = {}
            for verdict in json.loads(os.environ["KERNELS"]):
                model = get_model("says/" + verdict)
                (log,) = eval(kernels(tasks="relu"), model=model, display="none")
                assert log.status == "success", log.error
                (score,) = log.samples[0].scores.values()
                said[score.metadata["verdict"]] = score.value
            print(json.dumps(said))
        """), {"PASS": 1, "WRONG_RESULT": 0, "POLICY": 0})


def install():
    """Where the packages cannot be had, the test is skipped: exit code 77."""
    if not (venv / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    prefix = venv / "prefix"
    subprocess.run([cmake, "--install", build, "--component", "tools", "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    client = prefix / "share/kernelassay/python"
    before = sorted(client.rglob("*"))
    done = subprocess.run([venv / "bin/pip", "install", "--quiet", f"{client}[verifiers,inspect]"], capture_output=True, text=True)
    assert sorted(client.rglob("*")) == before, "pip leaves files in the installed folder"
    if done.returncode != 0:
        print(done.stderr[-1000:])
        sys.exit(77)


if __name__ == "__main__":
    if venv:
        install()
    unittest.main(argv=sys.argv[:1])
