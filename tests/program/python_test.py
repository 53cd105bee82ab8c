#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_test.py BUILD [PYTHON]: problems in Python, judged by the real programs of BUILD: what is handed between test and solution, and solutions
that reach for a verdict around the test. PYTHON is one with PyTorch, for tensors."""
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

from problems_test import Checks, Problem

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "harness/python/assay_problem.py"
PYTHON = sys.argv[2] if sys.argv[2:] else sys.executable
REFERENCE = "def twice(a):\n    return 2 * a\n"
TEST = "from solution import twice\nassert twice(3) == 6, twice(3)\n"

HANDED = '''import solution
from solution import Counter, fill, kernel
assert solution.SIZE == 3 and solution.given(2, b=3) == ((2,), {"b": 3})
for value in (None, True, -(1 << 70), 2.5, float("inf"), 1j, "\\u00e4\\ud800", b"x", (1, (2,)), [1, [2]], {"a": {1, 2}}, frozenset([3]), range(4), slice(1, None), ..., bytearray(b"yz")):
    assert solution.same(value) == value and type(solution.same(value)) is type(value), value
numbers = [1, 2]
assert fill(numbers) is numbers and numbers == [9, 2, numbers], numbers
table = {"x": numbers}
assert solution.grown(table) is None and table["y"] is numbers and len(table) == 2
counter = Counter(4)
assert counter.add(2) is counter and counter.count == 6 and solution.count_of(counter) == 6
cell = [0]
kernel[7, 1](cell)
assert cell == [7], cell
try:
    solution.fails()
except LookupError as error:
    assert "lost" in str(error)
else:
    raise AssertionError("no exception")
try:
    solution.same(object())
except TypeError as error:
    assert "object" in str(error)
else:
    raise AssertionError("an object was handed over")
'''
HANDS = '''SIZE = 3
class Counter:
    def __init__(self, count):
        self.count = count
    def add(self, more):
        self.count += more
        return self
class Lost(KeyError):
    pass
class Kernel:
    def __getitem__(self, grid):
        def launch(cell):
            cell[0] = grid[0]
        return launch
kernel = Kernel()
def given(*arguments, **keywords):
    return arguments, keywords
def same(value):
    return value
def fill(numbers):
    numbers[0] = 9
    numbers.append(numbers)
    return numbers
def grown(table):
    table["y"] = table["x"]
def count_of(counter):
    return counter.count
def fails():
    raise Lost("lost")
'''


def printed_of(problem):
    """What the last sample's test and solution printed."""
    return (problem.folder / f"out/{problem.samples:03}.program.output.txt").read_text()


def handed_over(checks, make):
    problem = make("handed", test=HANDED, reference=HANDS)
    done, kept = problem.prepared
    checks.same("what is handed over", (0, ""), (done.returncode, done.stderr))
    checks.same("controls", (False, ["PASS", "WRONG_RESULT", "WRONG_RESULT"]), kept and (kept["vacuous"], [run["verdict"] for run in kept["runs"]]))
    record = problem.judge(HANDS, "000.py")
    checks.same("its record", ("PASS", "", "full"), (record["verdict"], record.get("trust", ""), record["tier"]))
    problem.judge(HANDS + "print('loaded')\n", "000.py")
    checks.says("what the solution prints", "loaded", printed_of(problem))
    problem.judge(HANDS.replace("return counter.count", "return 0"), "000.py")
    checks.same("where a test fails", ["Traceback (most recent call last):", '  File "test/test_main.py", line 11, in <module>'], printed_of(problem).splitlines()[:2])
    problem = make("as_unittest", test="import unittest\nimport solution\nclass Of(unittest.TestCase):\n    def test_three(self):\n        self.assertEqual(solution.twice(3), 6)\n",
                   test_file="checks/test_main.py", test_command="python3 -m unittest -q checks/test_main.py")
    checks.same("unittest", "PASS", problem.judge(REFERENCE, "000.py")["verdict"])
    checks.same("unittest finds it", "WRONG_RESULT", problem.judge("def twice(a):\n    return a\n", "000.py")["verdict"])
    checks.same("a test is left out", "WRONG_RESULT", problem.judge("import unittest\ndef twice(a):\n    raise unittest.SkipTest('no')\n", "000.py")["verdict"])
    context = {"helper.py": "def half(a):\n    return a // 2\n"}
    problem = make("in_a_package", context=context, test="from kernels.add import add\nfrom helper import half\nassert half(add(2, 2)) == 2\n",
                   solution_file="kernels/add.py", reference="from helper import half\ndef add(a, b):\n    return half(2 * a) + b\n")
    checks.same("a module in a folder", "PASS", problem.prepared[1]["runs"][0]["verdict"])


def read_alone(checks, make):
    problem = make("read", source_references={"all": ["math.floor"]}, reference="import math\ndef twice(a):\n    return math.floor(2 * a)\n")
    for text, verdict, says in (("def twice(a:\n", "COMPILE_ERROR", "solution.py:1: "), ("def thrice(a): return a\n", "COMPILE_ERROR", "defines no twice"),
                                ("x = 'a\0b'\n", "COMPILE_ERROR", "solution.py"), ("(" * 5000, "COMPILE_ERROR", "solution.py"), ("def twice(a): return 2 * a  # math.floor\n", "POLICY", "names no math.floor"),
                                ("def twice(a):\n    'math.floor'\n    if False:\n        math.floor(a)\n    return 2 * a\n", "POLICY", "names no math.floor"),
                                ("import math\nif True:\n    def twice(a): return math . floor(2 * a)\n", "PASS", ""), ("from math import *\nraise ValueError('not here')\nmath.floor\n", "WRONG_RESULT", "not here")):
        record = problem.judge(text, "000.py")
        checks.same(text[:60], verdict, record["verdict"])
        checks.says(text[:60], says, record["detail"])
    checks.says("a test of nothing", "takes nothing from the reference", make("nothing", test="import math\nassert math.pi > 3\n").why_not())
    checks.says("another program", "does not just call python", make("other", test_command="bash test/test_main.py").why_not())
    checks.says("a file that is not there", "got: python3 other.py. files below test/: test/test_main.py", make("no_file", test_command="python3 other.py").why_not())
    checks.says("a test that cannot be read", "reading its test fails", make("bad_test", test="from solution import\n").why_not())
    checks.says("a wrong reference", "its own reference solution does not pass here: WRONG_RESULT", make("wrong", reference="def twice(a):\n    return a\n").prepared[0].stderr)
    for what, test in (("all", "from solution import *\nassert twice(3) == 6\n"), ("by its name", "import importlib\nassert getattr(importlib.import_module('solution'), 'twi' + 'ce')(3) == 6\n")):
        problem = make(what.replace(" ", "_"), test=test)
        checks.same(what, "PASS", problem.prepared[1] and problem.prepared[1]["runs"][0]["verdict"])
    many = [f"the_{i}th_of_many_functions" for i in range(200)]
    problem = make("many", test=f"from solution import {', '.join(many)}\nassert the_7th_of_many_functions() == 7\n", reference="".join(f"def {name}():\n    return {i}\n" for i, name in enumerate(many)))
    checks.same("many functions", [0, "PASS"], [problem.prepared[0].returncode, problem.prepared[1]["runs"][0]["verdict"]])
    checks.same("vacuous", True, make("vacuous", test="from solution import twice\ntwice(3)\n").prepared[1]["vacuous"])


FRAMES = "import json, os, socket, struct, sys\nfor fd in range(3, 30):\n    try:\n        channel = socket.socket(fileno=os.dup(fd))\n        break\n    except OSError:\n        pass\n"
CHEATS = {
    "ends its process": ("import os\ndef twice(a):\n    os._exit(0)\n", "CRASH", "the solution ended with status 0"),
    "ends at its import": ("raise SystemExit(0)\ntwice = None\n", "CRASH", "the solution ended with status 0"),
    "dies": ("import ctypes\ndef twice(a):\n    ctypes.string_at(0)\n", "CRASH", "the solution died of signal Segmentation fault"),
    "kills everybody": ("import os, signal\ndef twice(a):\n    os.kill(-1, signal.SIGKILL)\n    os.kill(os.getppid(), signal.SIGKILL)\n    return 1\n", "WRONG_RESULT", "not permitted"),
    "equals everything": ("class All:\n    def __eq__(self, other):\n        return True\ndef twice(a):\n    return All()\n", "WRONG_RESULT", ""),
    "is an int that equals everything": ("class All(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = None\ndef twice(a):\n    return All(5)\n", "WRONG_RESULT", ""),
    "changes the interpreter": ("import builtins, sys\nbuiltins.AssertionError = KeyError\nsys.exit = lambda *_: None\nsys.excepthook = lambda *_: None\ndef twice(a):\n    return 1\n", "WRONG_RESULT", ""),
    "raises a success": ("def twice(a):\n    raise SystemExit(0)\n", "CRASH", ""),
    "raises what nobody catches": ("class Skip(BaseException):\n    pass\ndef twice(a):\n    raise Skip\n", "CRASH", ""),
    "looks for the test": ("import os\ndef twice(a):\n    seen = [os.path.join(at, name) for at, _, names in os.walk('/') for name in names if name == 'test_main.py']\n    assert not seen, seen\n    return 1\n", "WRONG_RESULT", "1"),
    "writes beside itself": ("import os\ndef twice(a):\n    for name in ('../test/solution.py', '../test/sitecustomize.py', '../test/test/test_main.py'):\n        try:\n            os.makedirs(os.path.dirname(name), exist_ok=True)\n            open(name, 'w').write('')\n        except OSError:\n            pass\n    return 1\n", "WRONG_RESULT", "1"),
    "closes the connection": (FRAMES + "def twice(a):\n    os.closerange(3, 30)\n    import time\n    time.sleep(60)\n", "CRASH", "closed its connection"),
    "sends an empty message": (FRAMES + "def twice(a):\n    channel.sendall(struct.pack('<QQ', 2, 0) + b'{}')\n", "WRONG_RESULT", "cannot be handed over"),
    "sends what is no JSON": (FRAMES + "def twice(a):\n    channel.sendall(struct.pack('<QQ', 2, 0) + b'{]')\n", "CRASH", ""),
    "sends a deep value": (FRAMES + "def twice(a):\n    text = b'[' * 200000\n    channel.sendall(struct.pack('<QQ', len(text), 0) + text)\n", "CRASH", ""),
    "promises four terabytes": (FRAMES + "def twice(a):\n    channel.sendall(struct.pack('<QQ', 2, 1 << 42))\n", "CRASH", ""),
    "answers before it is asked": (FRAMES + "for _ in range(3):\n    text = json.dumps({'objects': [], 'result': ['i', '0x7']}).encode()\n    channel.sendall(struct.pack('<QQ', len(text), 0) + text)\ndef twice(a):\n    return 1\n", "WRONG_RESULT", ""),
    "names a method of the test's": (FRAMES + "def twice(a):\n    text = json.dumps({'objects': [], 'result': ['_', 1]}).encode()\n    channel.sendall(struct.pack('<QQ', len(text), 0) + text)\n", "WRONG_RESULT", "cannot be handed over"),
    "hands over objects": (FRAMES + "def twice(a):\n    text = json.dumps({'objects': [['n', [0, 8], 'O', [1]]], 'result': ['m', 0]}).encode()\n    channel.sendall(struct.pack('<QQ', len(text), 8) + text + bytes(8))\n", "WRONG_RESULT", "cannot be handed over"),
    "reads outside its message": (FRAMES + "def twice(a):\n    text = json.dumps({'objects': [['ba', [-8, 8]]], 'result': ['m', 0]}).encode()\n    channel.sendall(struct.pack('<QQ', len(text), 8) + text + bytes(8))\n", "WRONG_RESULT", "outside its message"),
    "never returns": ("def twice(a):\n    while True:\n        pass\n", "TIMEOUT", ""),
    "prints without end": ("def twice(a):\n    while True:\n        print('x' * 100000)\n", "WRONG_RESULT", "too large"),
    "asks for the network": ("import socket\ndef twice(a):\n    try:\n        socket.create_connection(('1.1.1.1', 53), 1)\n        return 6\n    except OSError:\n        return 1\n", "WRONG_RESULT", "1"),
    "leaves a daemon": ("import os, time\ndef twice(a):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(600)\n    return 6\n", "WRONG_RESULT", "not permitted"),
}


def cheats(checks, make):
    problem = make("cheated")
    checks.same("its controls", 0, problem.prepared[0].returncode)
    hurried = make("hurried", timeout_seconds=2.0)
    for what, (text, verdict, says) in CHEATS.items():
        record = (hurried if verdict == "TIMEOUT" else problem).judge(text, "000.py")
        checks.same(f"{what}: {record['detail']}", True, record["verdict"] == verdict)
        checks.says(what, says, record["detail"])


def changes(checks, make):
    """Of its arguments a solution may change what the reference changes, in a call of that name."""
    test = ("from solution import add, double, Sum\na, b = [1, 2], {'x': [3], 'y': b'z'}\nassert add(a, b) == sum(a) + sum(b['x'])\ndouble(a)\nassert a == [2, 4], a\n"
            "s = Sum([5])\ns.into(a)\nassert a[0] == 5 and add(s.of, {'x': [], 'y': b''}) == 5\n")
    reference = ("def add(a, b):\n    return sum(a) + sum(b['x'])\ndef double(a):\n    a[:] = [2 * each for each in a]\nclass Sum:\n    def __init__(self, of):\n        self.of = of\n"
                 "    def into(self, a):\n        a[0] = sum(self.of)\n")
    problem = make("changing", test=test, reference=reference)
    checks.same("what the reference changes", ["solution.Sum.into#0", "solution.double#0"], (problem.prepared[1] or {}).get("changes"))
    checks.same("as the reference", "PASS", problem.judge(reference, "000.py")["verdict"])
    says = "the solution changes an argument of solution.add that the reference leaves as it is"
    for what, body in (("a list", "a.clear()\n    b['x'].clear()\n    return 0"), ("what a dictionary holds", "b['x'][0] = 4\n    return sum(a) + 4"), ("a dictionary", "b['z'] = 1\n    return sum(a) + 3")):
        record = problem.judge(reference.replace("return sum(a) + sum(b['x'])", body), "000.py")
        checks.same(what, ("INPUT_MODIFIED", says), (record["verdict"], record["detail"]))
    # One object under two names may do what both may.
    record = problem.judge(reference.replace("def double(a):", "def both(*arguments):\n    if len(arguments) == 2:\n        arguments[0].clear()\n        arguments[1]['x'].clear()\n        return 0\n    a, = arguments").replace(
        "class Sum", "double = add = both\nclass Sum"), "000.py")
    checks.same("one function under two names", "INPUT_MODIFIED", record["verdict"])


def verbatim(checks, make):
    problem = make("verbatim", verbatim=True, build_command="echo built", test_command="PYTHONPATH=. python3 test/test_main.py && echo tested")
    record = problem.judge(REFERENCE, "000.py")
    checks.same("verbatim", ("PASS", "compute-eval", "in-process"), (record["verdict"], record["profile"], record.get("trust")))
    checks.same("verbatim, wrong", "WRONG_RESULT", problem.judge("def twice(a):\n    return 1\n", "000.py")["verdict"])


def frameworks(checks, make):
    if subprocess.run([PYTHON, "-c", "import torch, numpy"], capture_output=True, check=False).returncode != 0:
        return print("no PyTorch: tensors are not tried")
    problem = make("tensors", toolchain=toolchain_of(PYTHON), timeout_seconds=120.0, reference='''import torch
def twice(t):
    t.mul_(2)
    return t[0]
def add(t):
    return t + 1
def both(t):
    return {"t": t, "l": [t, torch.float16, t.device]}
def array(a):
    a *= 2
    return a
''', test='''import numpy
import solution
import torch
t = torch.arange(6.0).reshape(2, 3)
assert torch.equal(solution.twice(t.t()), torch.tensor([0.0, 6.0])) and t[1, 2] == 10, t
assert torch.equal(solution.add(torch.ones(1).expand(4)), torch.full((4,), 2.0))
both = solution.both(t)
assert both["t"] is t and both["l"][0] is t and both["l"][1] is torch.float16 and both["l"][2].type == "cpu"
assert solution.add(torch.zeros(3, dtype=torch.bfloat16)).dtype is torch.bfloat16
assert solution.add(torch.tensor(3)).item() == 4 and solution.add(torch.zeros(0, 3)).shape == (0, 3)
leaf = torch.zeros(2, requires_grad=True)
assert solution.add(leaf).sum() == 2 and leaf.requires_grad
a = numpy.arange(6.0).reshape(2, 3).T
assert solution.array(a) is a and a[1, 1] == 8 and solution.add(numpy.float32(2)) == 3
''')
    done, _ = problem.prepared
    checks.same("tensors", (0, ""), (done.returncode, done.stderr))


ADD_KERNEL = '''import cuda.tile as ct

@ct.kernel
def add_kernel(a, b, c, size: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, index=(i,), tile=ct.load(a, index=(i,), shape=(size,)) + ct.load(b, index=(i,), shape=(size,)))

'''
TILES = ADD_KERNEL + '''import io
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

def cubin(architecture):
    array = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False, stride_constant=(1,))
    out = io.BytesIO()
    export_kernel(add_kernel, [KernelSignature([array, array, array, 1024], CallingConvention.cutile_python_v1())], out, gpu_code=architecture, output_format="cubin")
    return out.getvalue()
'''


def tiles(checks, make):
    """As on a machine with a GPU, where a solution's process may start compilers."""
    if subprocess.run([PYTHON, "-c", "import cuda.tile"], capture_output=True, check=False).returncode != 0:
        return print("no cuda.tile: compiling its kernels is not tried")
    toolchain = toolchain_of(PYTHON) | {"devices": ["/dev/null"]}
    if not any((pathlib.Path(path) / "bin/tileiras").exists() for path in toolchain["readable"]):
        return print("no tileiras beside cuda.tile: compiling its kernels is not tried")
    problem = make("tiles", toolchain=toolchain, reference=TILES, timeout_seconds=120.0,
                   test="import solution\nfor architecture in ('sm_90', 'sm_100'):\n    assert solution.cubin(architecture).startswith(b'\\x7fELF')\n")
    done, _ = problem.prepared
    checks.same("kernels of tiles are compiled", (0, ""), (done.returncode, done.stderr))


LAUNCHED = ADD_KERNEL + '''import torch

def add_into(a, b, c):
    ct.launch(torch.cuda.current_stream(), (ct.cdiv(c.shape[0], 1024),), add_kernel, (a, b, c, 1024))

def add(a, b):
    c = torch.empty_like(a)
    add_into(a, b, c)
    return c
'''
LAUNCHES = '''import solution
import torch
for size in (1, 1024, 100_001):
    a, b, c = (torch.randn(size, device="cuda") for _ in range(3))
    right = a + b
    added = solution.add(a, b)
    assert added.device == a.device and torch.equal(added, right), size
    assert solution.add_into(a, b, c) is None and torch.equal(c, right), size
'''


def launches(checks, make):
    """As tiles(), on a GPU: test and solution each have a context on it."""
    if subprocess.run([PYTHON, "-c", "import cuda.tile, sys, torch\nsys.exit(not torch.cuda.is_available())"], capture_output=True, check=False).returncode != 0:
        return print("no cuda.tile, or no GPU for it: launching its kernels is not tried")
    problem = make("launches", toolchain=toolchain_of(PYTHON, "program_gpu"), reference=LAUNCHED, test=LAUNCHES, timeout_seconds=120.0)
    done, kept = problem.prepared
    checks.same("launches", (0, ""), (done.returncode, done.stderr))
    checks.same("what a launch changes", ["solution.add_into#2"], kept and kept["changes"])
    for what, old, new, verdict in (("the reference", "", "", "PASS"), ("another kernel", ") + ct.load(", ") - ct.load(", "WRONG_RESULT"), ("tiles that are missing", "ct.cdiv(c.shape[0], 1024)", "1", "WRONG_RESULT"),
                                    ("nothing launched", "    ct.launch", "    return\n    ct.launch", "WRONG_RESULT"), ("an input", "    return c", "    a.zero_()\n    return c", "INPUT_MODIFIED"),
                                    ("a kernel that is none", "ct.store(c", "ct.no_such(c", "WRONG_RESULT")):
        record = problem.judge(LAUNCHED.replace(old, new), "000.py")
        checks.same(f"{what}: {record['detail']}", verdict, record["verdict"])


def toolchain_of(python, name="program"):
    described = json.loads(subprocess.run([python, "-I", "-B", PROGRAM, "describe"], capture_output=True, text=True, check=True).stdout)
    toolchain = json.loads((pathlib.Path(sys.argv[1]) / f"kernelassay/{name}.toolchain.json").read_text())
    return toolchain | {"compile": [described["executable"], "-I", "-B", str(PROGRAM)], "readable": toolchain["readable"] + described["readable"]}


def command_of(pid):
    try:
        return (pid / "environ").read_text(errors="replace")
    except OSError:
        return ""


def main():
    toolchain = toolchain_of(sys.executable)
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        def make(problem, test=TEST, reference=REFERENCE, **fields):
            fields = {"toolchain": toolchain, "type": "cuda_python", "build_command": "echo 'nothing to build'", "test_command": "python3 test/test_main.py", "test_file": "test/test_main.py",
                      "solution_file": "solution.py"} | fields
            made = Problem(pathlib.Path(sys.argv[1]), pathlib.Path(name), problem, test, reference, **fields)
            made.prepared = made.controls()
            return made
        parts = (handed_over, read_alone, cheats, changes, verbatim, frameworks, tiles, launches)
        with concurrent.futures.ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(lambda part: part(checks, make), parts))
        left = [pid for pid in pathlib.Path("/proc").glob("[0-9]*") if name in command_of(pid)]
        checks.same("processes that are left", [], left)
    print("\n".join(checks.faults) if checks.faults else "all as expected")
    return 1 if checks.faults else 0


if __name__ == "__main__":
    sys.exit(main())
