# SPDX-License-Identifier: Apache-2.0
"""Problems in Python. The problem's test and its solution are processes of their own: what the test imports of the solution are stand-ins,
which have the solution's process do the work. Arguments and results are copied between them as data (assay_values.py); no code of the
solution ever runs in the test's process, so its exit status is the verdict.

usage: assay_problem.py describe                       what processes of this Python need, as JSON: executable, readable
       assay_problem.py needs FOLDER...                packages that the Python files there import, and neither they nor this Python have
       assay_problem.py interface MODULES FILE...      what the files take of these modules, as JSON: {module: [name]}
       assay_problem.py check WHAT                     what is wrong with a solution's files, as JSON: error, fault, or neither
       assay_problem.py test SOCKET MODULES CHANGES WORD...
                                                       runs the test: a file and its arguments, or -m, a module and its arguments
       assay_problem.py solve SOCKET [RESULT]          answers it; with RESULT (0 or None) without a solution: each function gives that at once

MODULES is JSON: {"kernels.add": "kernels/add.py"}. WHAT is JSON: modules, names (as of `interface`), own (paths of the solution), all and
any (identifiers). Paths are those below the working directory. CHANGES is JSON: which arguments calls may change, ["module.function#0"], by the
order in which objects are met in them; null: any, and which they were lies in assay_changes.json afterwards. The exit status 89 of `test` says that the
solution's process is gone, 90 that it has changed another argument.
"""
import ast
import builtins
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import io
import json
import os
import pathlib
import runpy
import socket
import sys
import tokenize
import traceback
import types
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from assay_values import Received, Sent, is_same, receive, send  # noqa: E402
del sys.path[0]

GONE, CHANGED = 89, 90  # python_problem.cpp has them, too
LEARNT = "assay_changes.json"  # and this one


def parsed(path):
    warnings.simplefilter("ignore")
    with open(path, "rb") as file:
        return ast.parse(file.read(), str(path))


def imported_packages(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module


def has_module(name):
    """Whether it can be found. Nothing is imported: whoever wrote the problem has chosen the name."""
    top, *parts = name.split(".")
    spec = importlib.util.find_spec(top)
    for part in parts:
        if spec is None or spec.submodule_search_locations is None:
            break
        try:
            spec = importlib.machinery.PathFinder.find_spec(f"{spec.name}.{part}", list(spec.submodule_search_locations))
        except KeyError:  # a folder without __init__.py in another one, which has to be imported to be looked into
            break
    return spec is not None


def needs(folders):
    files = [(path, path.relative_to(folder)) for folder in map(pathlib.Path, folders) for path in folder.rglob("*.py")]
    own = {part.removesuffix(".py") for _, path in files for part in (path.parts[0], path.name)}
    wanted = {name for path, _ in files for name in imported_packages(parsed(path)) if name.split(".")[0] not in own}
    return sorted(name for name in wanted if not has_module(name))


def interface(modules, files):
    """Names that `from module import name` and `module.name` take, of each module that a file names: "*" where what it takes is not known."""
    taken = {module: set() for module in modules}
    met = set()
    for file in files:
        tree = parsed(file)
        called = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                for alias in node.names:
                    if f"{node.module}.{alias.name}" in taken:
                        called[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                    elif node.module in taken:
                        taken[node.module].add(alias.name)
            elif isinstance(node, ast.Import):
                called |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name in taken}
            elif isinstance(node, ast.Constant) and node.value in taken:
                met.add(node.value)
        met |= set(called.values())
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                module = called.get(ast.unparse(node.value))
                if module and f"{module}.{node.attr}" not in taken:
                    taken[module].add(node.attr)
    return {module: sorted(names) or ["*"] for module, names in taken.items() if names or module in met}


def bound_names(statements):
    """What a module's statements may bind, in branches too; None where that cannot be read."""
    names = set()
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            if node.name == "__getattr__":
                return None
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            if any(alias.name == "*" for alias in node.names):
                return None
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        else:
            names |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, (ast.stmt, ast.excepthandler))]
            for block in ([each] if isinstance(each, ast.stmt) else each.body for each in inner):
                more = bound_names(block)
                if more is None:
                    return None
                names |= more
    return names


class LivingCode(ast.NodeTransformer):
    """Without branches that a constant leaves out."""

    def visit_If(self, node):
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return (node.body if node.test.value else node.orelse) or ast.Pass()
        return node


def words_of(text):
    kept = (tokenize.NAME, tokenize.OP)
    return [token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in kept]


def names_in_code(trees, reference):
    wanted = words_of(reference)
    for tree in trees:
        words = words_of(ast.unparse(ast.fix_missing_locations(LivingCode().visit(tree))))
        if any(words[i:i + len(wanted)] == wanted for i in range(len(words))):
            return True
    return False


def check(what):
    trees = {}
    for path in sorted(pathlib.Path().rglob("*.py")):
        try:
            trees[path.as_posix()] = parsed(path)
        except SyntaxError as error:
            return {"error": f"{path}:{error.lineno}: {error.msg}"}
        except (ValueError, RecursionError, MemoryError) as error:
            return {"error": f"{path}: {type(error).__name__}: {error}"}
    for module, path in what["modules"].items():
        wanted = what["names"].get(module, [])
        if path not in trees:
            if wanted:
                return {"error": f"has no file {path}"}
            continue
        bound = bound_names(trees[path].body)
        for name in wanted:
            if bound is not None and name != "*" and name not in bound:
                return {"error": f"{path} defines no {name}"}
    own = [trees[path] for path in what["own"] if path in trees]
    for name in what["all"]:
        if not names_in_code(own, name):
            return {"fault": f"names no {name}"}
    if what["any"] and not any(names_in_code(own, name) for name in what["any"]):
        return {"fault": f"names none of {', '.join(what['any'])}"}
    return {}


class Solution:
    """The solution's process, as the test's has it."""

    def __init__(self, channel, changes):
        self.channel, self.changes = channel, changes if changes is None else set(changes)
        self.learnt = set()
        self.remotes = {}

    def remote(self, number, names):
        found = self.remotes.setdefault(number, Remote(self, number))
        object.__getattribute__(found, "_names").update(names)
        return found

    def ask(self, names, what, arguments=(), keywords=None):
        """`names`: by which the test knows what is asked. What the solution gives under several names may change what each of them may."""
        sent = Sent(number_of)
        question = what | {"arguments": [sent.encode(each) for each in arguments],
                           "keywords": [[key, sent.encode(each)] for key, each in (keywords or {}).items()], "objects": sent.finished()}
        try:
            send(self.channel, question, sent.bytes)
            answer, data = receive(self.channel)
        except (EOFError, OSError, ValueError, RecursionError):
            end(GONE)
        try:
            result = self.understood(names, answer, data, sent)
        except Exception as error:  # whatever it is, the solution has sent it
            result = ValueError(f"the solution gives what cannot be handed over: {type(error).__name__}: {error}")
        if isinstance(result, Exception):
            raise result
        return result

    def understood(self, names, answer, data, sent):
        if "raised" in answer:
            return error_of(*answer["raised"])
        received = Received(answer["objects"], data, lambda number: self.remote(number, names), sent.objects)
        result = received.decode(answer["result"])
        changed = [i for i, was in enumerate(sent.forms) if not is_same(was, sent.bytes, answer["objects"][i], data)]
        contents = [received.content(answer["objects"][i]) for i in changed]
        self.require_allowed(names, changed)
        for i, content in zip(changed, contents):
            put_into(sent.objects[i], content)
        return result

    def require_allowed(self, names, changed):
        keys = {f"{name}#{i}" for name in names for i in changed}
        if self.changes is None:
            self.learnt |= keys
            pathlib.Path(LEARNT).write_text(json.dumps(sorted(self.learnt)))
        elif not keys <= self.changes:
            print(f"the solution changes an argument of {min(names)} that the reference leaves as it is", file=sys.stderr)
            end(CHANGED)


def number_of(value):
    if not isinstance(value, Remote):
        raise TypeError(f"a {type(value).__name__} cannot be handed to the solution")
    return ["o", object.__getattribute__(value, "_number")]


def end(status):
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def error_of(names, text):
    """The nearest exception of Python's own: one of a library may mean something to whoever runs the test."""
    for name in names:
        kind = getattr(builtins, str(name), None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            try:
                return kind(str(text))
            except TypeError:  # it takes other arguments
                continue
    return RuntimeError(str(text))


def put_into(old, new):
    if isinstance(old, (list, bytearray)):
        old[:] = new
    elif isinstance(old, (dict, set)):
        old.clear()
        old.update(new)
    elif old.shape != new.shape or old.dtype != new.dtype:
        raise ValueError("an argument of another shape or type")
    elif hasattr(old, "copy_"):
        old.detach().copy_(new)
    else:
        old[...] = new


class Remote:
    """What the solution has and nobody can copy: a function, a class, an object. How it compares is not the solution's to say."""

    def __init__(self, solution, number):
        for field, value in (("_solution", solution), ("_number", number), ("_names", set())):
            object.__setattr__(self, field, value)

    def _ask(self, suffix, what, arguments=(), keywords=None):
        solution, number, names = (object.__getattribute__(self, field) for field in ("_solution", "_number", "_names"))
        return solution.ask({name + suffix for name in names}, {"of": number} | what, arguments, keywords)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._ask(f".{name}", {"get": name})

    def __call__(self, *arguments, **keywords):
        return self._ask("", {"call": True}, arguments, keywords)

    def __getitem__(self, key):
        return self._ask("[]", {"item": True}, [key])


class StandIn(types.ModuleType):
    """A module of the solution."""

    def __getattr__(self, name):
        if name.startswith("__") and name != "__all__":
            raise AttributeError(name)
        what = {"names": True} if name == "__all__" else {"get": name}
        return object.__getattribute__(self, "_assay_solution").ask({f"{self.__name__}.{name}"}, {"of": self.__name__} | what)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, solution, modules):
        self.solution, self.modules = solution, modules
        self.packages = {".".join(name.split(".")[:i]) for name in modules for i in range(1, name.count(".") + 1)}

    def find_spec(self, name, path=None, target=None):
        if name not in self.modules and (name not in self.packages or os.path.exists(name.replace(".", "/"))):
            return None
        is_package = name in self.packages or self.modules[name].endswith("__init__.py")
        return importlib.util.spec_from_loader(name, self, is_package=is_package)

    def create_module(self, spec):
        module = StandIn(spec.name)
        module._assay_solution = self.solution
        return module

    def exec_module(self, module):
        if module.__name__ in self.modules:
            self.solution.ask({module.__name__}, {"of": module.__name__, "load": True})


def show_uncaught(kind, error, trace):
    """As Python does, but from the test's first frame on."""
    while trace and trace.tb_frame.f_code.co_filename in (__file__, runpy.__file__, "<frozen runpy>"):
        trace = trace.tb_next
    traceback.print_exception(kind, error, trace)


def run_test(channel, modules, changes, words):
    sys.excepthook = show_uncaught
    sys.meta_path.insert(0, Finder(Solution(channel, changes), modules))
    sys.path.insert(0, os.getcwd())
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
        runpy.run_path(words[0], run_name="__main__")


class Server:
    """The solution's side."""

    def __init__(self):
        self.objects = []

    def number_of(self, value):
        at = next((i for i, each in enumerate(self.objects) if each is value), None)
        if at is None:
            at = len(self.objects)
            self.objects.append(value)
        return ["o", at]

    def answer(self, question, data):
        received = Received(question["objects"], data, self.objects.__getitem__)
        arguments = [received.decode(each) for each in question["arguments"]]
        keywords = {name: received.decode(each) for name, each in question["keywords"]}
        result = self.done(question, arguments, keywords)
        sent = Sent(self.number_of, received.objects)
        return {"result": sent.encode(result), "objects": sent.finished()}, sent.bytes

    def done(self, question, arguments, keywords):
        of = question["of"]
        of = importlib.import_module(of) if isinstance(of, str) else self.objects[of]
        if "get" in question:
            return getattr(of, question["get"])
        if "names" in question:
            return list(getattr(of, "__all__", None) or [name for name in vars(of) if not name.startswith("_")])
        if "item" in question:
            return of[arguments[0]]
        return of(*arguments, **keywords) if "call" in question else None


class Idle(Server):
    """Each function gives `result` at once."""

    def __init__(self, result):
        super().__init__()
        self.result = result

    def done(self, question, arguments, keywords):
        return self.result if "call" in question else None if "load" in question else [] if "names" in question else self


def compiler_of_tiles():
    """Where a package of NVIDIA's has tileiras, which compiles kernels of cuda.tile; None where none has."""
    places = [os.path.join(path, "nvidia", name) for path in sys.path for name in ("cu13", "cu14")]
    return next((place for place in places if os.path.exists(f"{place}/bin/tileiras")), None)


def use_toolkit():
    """Has cuda.tile call the tileiras of CUDA_HOME. As a part of a package it would look for its libraries beside /proc/self/exe, which in the
    sandbox is that of the first process."""
    version = importlib.metadata.version

    def version_of(name):
        if name.startswith("nvidia-cuda-tileiras"):
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)
    importlib.metadata.version = version_of


def serve(channel, server):
    sys.path.insert(0, os.getcwd())
    if "CUDA_HOME" in os.environ:
        use_toolkit()
    while True:
        try:
            question, data = receive(channel)
        except EOFError:
            return
        try:
            answer, data = server.answer(question, data)
        except Exception as error:
            answer, data = {"raised": [[kind.__name__ for kind in type(error).__mro__], f"{error}"]}, b""
        send(channel, answer, data)


def readable():
    own = {sys.executable, sys.prefix, sys.base_prefix, *filter(None, sys.path)} - {"/usr"}  # of which a process sees what programs need
    own |= {os.path.dirname(os.path.abspath(__file__)), "/proc/cpuinfo", "/sys/devices/system"}  # libraries count processors
    return sorted(own | set(filter(None, [compiler_of_tiles()])))


def main():
    command, *words = sys.argv[1:]
    if command == "describe":
        print(json.dumps({"executable": sys.executable, "readable": readable()}))
    elif command == "needs":
        print("\n".join(needs(words)))
    elif command == "interface":
        print(json.dumps(interface(json.loads(words[0]), words[1:])))
    elif command == "check":
        print(json.dumps(check(json.loads(words[0]))))
    else:
        channel = socket.socket(fileno=int(words[0]))
        if command == "test":
            run_test(channel, json.loads(words[1]), json.loads(words[2]), words[3:])
        else:
            serve(channel, Idle({"0": 0, "None": None}[words[1]]) if words[1:] else Server())


if __name__ == "__main__":
    main()
