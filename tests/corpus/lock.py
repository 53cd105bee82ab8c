#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/corpus.lock: what was judged of each task and reference, and the verdicts. Continuous integration judges what differs
from it and a twentieth of the rest, so that its time does not grow with the corpus.

  lock.py pick --commit TEXT   "in <task>" for the tasks to judge, those whose rows do not hold, and one in forty, chosen by TEXT;
                               "out <task>" for the others
  lock.py check                is every row there and right? Exit status 1 and a line for each that is not
  lock.py judge --build DIR --work DIR [--changed]
                               judges all tasks, or those whose rows do not hold, with the tools of the build folder, and
                               writes their rows. Exit status 1 where one does not pass

A row is: task, what (admission, or the backend of a reference), hash, verdict. A reference for a device that the machine lacks (cuda)
has the verdict COMPILES. Problems that bring their own tests have a row (program) where nvcc builds them, which takes long; the others
are judged each time. The hash is of what decides a verdict: the task's folder, or its lines of a family, the reference with its blocks, the backend's
declaration, and of the harness the RULES: what is drawn, what must come out, how far off it may be, and what admission alters. Comments and white space do not count. What carries a kernel to its verdict (sandbox, wire,
boxes, stages) is left out: nearly every commit changes it, and it has tests of its own and the twentieth.
"""
import argparse
import contextlib
import dataclasses
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from assembled import assembled  # noqa: E402
from commit_share import commit_share  # noqa: E402
from declared_tasks import declared_tasks  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, CTEST = os.environ.get("CMAKE", "cmake"), os.environ.get("CTEST", "ctest")
LOCK = pathlib.Path("tests/corpus.lock")
DO = "do: ctest --test-dir <build> -R '^corpus.changed$', and commit the file"
SHARE = 40

# Sources of harness/ by the names of their files, wherever they lie: <name>.h and <name>.cpp.
RULES = ("cases", "half", "random", "inputs", "exact_case", "expected", "compare")
ADMISSION_RULES = ("admission", "alterations", "input_alterations", "model_alterations", "output_alterations", "waivers",
                   "rules", "inputs_are_read", "outputs_tell", "sizes", "order", "factorisation", "torch_names", "reserved_names")
GOOD = {"admission": ("admitted", "degenerate")}
COMPILES = "COMPILES"
PROGRAM = "program"


class Failure(Exception):
    """The question cannot be answered; nobody's verdict."""


@dataclasses.dataclass(frozen=True)
class Row:
    hash: str
    verdict: str


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, default=ROOT, help="the tree (default: this one)")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("pick")
    one.add_argument("--commit", required=True)
    one.set_defaults(run=pick)
    commands.add_parser("check").set_defaults(run=check)
    one = commands.add_parser("judge")
    one.add_argument("--build", type=pathlib.Path, required=True, help="build folder whose tools judge")
    one.add_argument("--work", type=pathlib.Path, required=True, help="folder for a build of the references")
    one.add_argument("--changed", action="store_true", help="only tasks whose rows do not hold")
    one.set_defaults(run=judge)
    options = parser.parse_args()
    try:
        return options.run(options)
    except Failure as failure:
        print(f"corpus: {failure}", file=sys.stderr)
        return 2


def pick(options):
    hashes, rows = hash_corpus(options.source), read_rows(options.source / LOCK)
    names = {task for task, _ in hashes}
    judged = commit_share(names, options.commit, SHARE) | {task for (task, _), _ in problems(hashes, rows, compile_only(options.source))}
    for task in sorted(names):
        print("in" if task in judged else "out", task)
    return 0


def check(options):
    found = problems(hash_corpus(options.source), read_rows(options.source / LOCK), compile_only(options.source))
    for (task, what), problem in found:
        print(f"{LOCK}: {task} {what}: {problem}")
    if found:
        print(f"{len(found)} rows of {LOCK} do not hold. {DO}")
    return 1 if found else 0


def problems(hashes, rows, compiles):
    """((task, what), what is wrong with its row), sorted."""
    found = []
    for key in sorted(hashes.keys() | rows.keys()):
        row = rows.get(key)
        if row is None:
            found.append((key, "has no row"))
        elif key not in hashes:
            found.append((key, "the row is of nothing that is there"))
        elif row.hash != hashes[key]:
            found.append((key, f"was judged as {row.hash}, is {hashes[key]} now"))
        elif not is_good(key, row.verdict, compiles):
            found.append((key, f"the verdict is {row.verdict}, which no task or reference may have"))
    return found


def is_good(key, verdict, compiles):
    return verdict in GOOD.get(key[1], ("PASS",)) or verdict == COMPILES and key[1] in compiles


def hash_corpus(source):
    """(task, what) to the hash of what is judged."""
    backends, operators = read_backends(source), Operators(source)
    rules = [digest(path) for name in RULES for path in sources_named(source, name)]
    rules += [digest(path) for path in operators.shared]
    admission = rules + [digest(path) for name in ADMISSION_RULES for path in sources_named(source, name)]
    hashes = {}
    for task in declared_tasks(source / "tasks"):
        folder = task.file.parent / task.name if task.member else task.file.parent
        of_task = [file_digest(path) for path in sorted(folder.rglob("*")) if path.is_file() and path != task.file]
        of_task.append(hashlib.sha256(judged_by(task.text).encode()).digest())
        of_task += [digest(path) for path in operators.families(task.text) + draws_of(source, task.text)]
        hashes[task.name, "admission"] = combined(of_task + admission)
        for suffix, (backend, declaration) in backends.items():
            reference = source / "references" / task.category / (task.name + suffix)
            if reference.is_file():
                hashes[task.name, backend] = combined(of_task + rules + [reference_digest(reference), file_digest(declaration)])
    for spec in sorted((source / "tasks").glob("*/*/problem-spec.yaml")):
        if re.search(r'^build_command: *"?nvcc ', spec.read_text(), re.MULTILINE):
            files = [path for path in sorted(spec.parent.rglob("*")) if path.is_file()]
            hashes[spec.parent.name, PROGRAM] = combined([file_digest(path) for path in files])
    return hashes


class Operators:
    """Which sources of the oracle a model is evaluated by: its operators' families, and what all families share."""

    def __init__(self, source):
        oracle = source / "harness/oracle"
        self.texts = {path: path.read_text() for path in sorted(oracle.glob("operators/*.cpp"))}
        self.shared = sorted(path for path in oracle.rglob("*") if path.suffix in (".h", ".cpp") and path not in self.texts)
        if not self.texts or not self.shared:
            raise Failure(f"{oracle} has no operators. do: adapt Operators in {__file__}")

    def families(self, model):
        """Those with the name of an operator that the text calls."""
        names = set(re.findall(r"=\s*(?:\w+\.)*([A-Z]\w*)\s*[<(]", model))
        return [path for path, text in self.texts.items() if any(f'"{name}"' in text for name in names)]


def draws_of(source, text):
    """The sources of the structures that a task's inputs promise."""
    return [path for path in sorted(source.glob("harness/spec/draws/*.cpp"))
            if any(re.search(rf""": *["']?{name}\b""", text) for name in re.findall(r'{\s*\.name = "(\w+)"', path.read_text()))]


def read_backends(source):
    """Suffix to (backend, its declaration)."""
    backends = {}
    for path in sorted(source.glob("cmake/backends/*.cmake")):
        text = path.read_text()
        declared = re.search(r"kernel_backend\(\s*(\w+)\s[^)]*?\bSUFFIX\s+(\.[\w.]+)", text)
        if declared is None:
            raise Failure(f"{path} declares no kernel_backend(<name> ... SUFFIX .<suffix>)")
        backends[declared[2]] = declared[1], path
    return backends


def compile_only(source):
    """What is compiled alone where its device is not."""
    return {PROGRAM} | {backend for backend, path in read_backends(source).values() if re.search("COMPILE_ONLY|_kernel_cuda_", path.read_text())}


@functools.lru_cache(maxsize=None)
def sources_named(source, name):
    found = sorted(path for suffix in (".h", ".cpp") for path in (source / "harness").rglob(name + suffix))
    if not found:
        raise Failure(f"harness/ has no {name}.h or {name}.cpp. do: name what took its place in RULES of {__file__}")
    return tuple(sorted(found, key=lambda path: path.name))


@functools.lru_cache(maxsize=None)
def digest(path):
    """Of a C++ source without comments and white space."""
    return hashlib.sha256(meaning(path.read_text()).encode()).digest()


def meaning(text):
    """C++ without comments, and with the white space that separates words alone."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|\s+', re.DOTALL)
    text = token.sub(lambda found: found[0] if found[0][0] in "\"'" else " ", text)
    return re.sub(r"(?<=\W) +| +(?=\W)", "", text)


def judged_by(text):
    """A task's text without its difficulty, which no verdict depends on."""
    return re.sub(r",\s*difficulty: *\d|\s*\bdifficulty: *\d(?:,\s*)?", "", text).strip()


def file_digest(path):
    return hashlib.sha256(path.name.encode() + b"\0" + path.read_bytes()).digest()


def combined(digests):
    return hashlib.sha256(b"".join(digests)).hexdigest()[:16]


def reference_digest(path):
    """Of the file with the blocks that it includes."""
    return hashlib.sha256(path.name.encode() + b"\0" + assembled(path.read_text(), path.parents[1]).encode()).digest()


def read_rows(path):
    rows = {}
    if not path.exists():
        return rows
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 4 or not all(fields):
            raise Failure(f"{path}:{number}: needs task, what, hash and verdict, separated by tabs. got: '{line}'. {DO}")
        if (fields[0], fields[1]) in rows:
            raise Failure(f"{path}:{number}: {fields[0]} {fields[1]} has a row above. do: remove one")
        rows[fields[0], fields[1]] = Row(fields[2], fields[3])
    return rows


def write_rows(path, rows):
    lines = ["# Written by ctest -L '^corpus-campaign$'; tests/corpus/lock.py says what a hash is of.", "# task\twhat\thash\tverdict"]
    lines += ["\t".join((*key, row.hash, row.verdict)) for key, row in sorted(rows.items())]
    whole = path.with_name(path.name + ".new")
    whole.write_text("\n".join(lines) + "\n")
    whole.replace(path)


@contextlib.contextmanager
def alone_in(folder):
    """Two that judge in one folder would take each other's results."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "in_use", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"{folder}: another process judges there. do: wait for its end, or give another --work") from None
        yield


def judge(options):
    path = options.source / LOCK
    hashes, rows, compiles = hash_corpus(options.source), read_rows(path), compile_only(options.source)
    wanted = set(hashes)
    if options.changed:
        wanted &= {key for key, _ in problems(hashes, rows, compiles)}
    with alone_in(options.work):
        verdicts = read_verdicts(run_stages(options, wanted), compiles) if wanted else {}
    missing = sorted(wanted - verdicts.keys())
    if missing:
        raise Failure("no verdict for " + ", ".join(" ".join(key) for key in missing[:20]) +
                      (f" and {len(missing) - 20} more" if len(missing) > 20 else "") +
                      f". do: see {options.work}/junit.*.xml; a backend that is off is installed by scripts/setup")
    rows = {key: Row(hashes[key], verdicts[key]) if key in wanted else rows[key] for key in hashes}
    write_rows(path, rows)
    bad = [(key, row.verdict) for key, row in sorted(rows.items()) if not is_good(key, row.verdict, compiles)]
    for (task, what), verdict in bad:
        print(f"{task} {what}: {verdict}")
    print(f"{len(wanted)} verdicts on {len(tasks_of(wanted))} of {len(tasks_of(hashes))} tasks are in {path}, "
          f"{len(bad)} of them no pass")
    return 1 if bad else 0


def tasks_of(keys):
    return sorted({task for task, _ in keys})


def run_stages(options, wanted):
    """The JUnit files of these references' stages compile and test and of these tasks' admission."""
    # CTest takes a relative name as one below the build folder.
    tools, build = (options.work.resolve() / name for name in ("tools", "build"))
    run([CMAKE, "--install", options.build, "--prefix", tools])
    run([CMAKE, "-S", options.source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DKERNELASSAY_BUILD_TESTS=OFF",
         "-DKERNELASSAY_ADMISSION=ON", f"-DKERNELASSAY_TOOLS={tools}", "-DKERNELASSAY_CANDIDATES="])
    references = [f"kernelassay/{task}/reference/000.{what}.compile.json" for task, what in sorted(wanted) if what != "admission"]
    if references:
        run([CMAKE, "--build", build, "--target", *references, "--", "-k", "0"], (0, 1))
    junits = []
    for chosen in chosen_tests(wanted):
        junit = options.work.resolve() / f"junit.{len(junits)}.xml"
        junit.unlink(missing_ok=True)
        run([CTEST, "--test-dir", build, "-R", chosen, "--parallel", os.cpu_count(), "--no-tests=error", "--output-junit", junit], (0, 8))
        junits.append(junit)
    return junits


def chosen_tests(wanted):
    """Expressions for the names of these tests, one of each kind: CTest takes few parentheses in one."""
    for what in sorted({what for _, what in wanted}):
        names = "|".join(tasks_of(key for key in wanted if key[1] == what))
        yield f"^assay[.]({names})[.]admission$" if what == "admission" else f"^reference[.]({names})[.]{what}[.]000[.](compile|test)$"


def read_verdicts(junits, compiles):
    """(task, what) to the verdict: of the last stage that a reference came to, or admission's word. Of the backends in `compiles` a
    reference that is not tested has one, too."""
    verdicts = {}
    for case in (case for junit in junits for case in ElementTree.parse(junit).getroot().iter("testcase")):
        name, output = case.get("name"), case.findtext("system-out") or ""
        kind, task, what = name.split(".")[:3]
        if kind == "assay":
            if what == "admission":
                said = re.search(rf"^{task}: (admitted|refused|degenerate)", output, re.MULTILINE)
                verdicts[task, what] = said[1] if said else "no word"
            continue
        record = re.match(r"\s*assay: (\{.*)", output)
        stage, verdict = name.rsplit(".", 1)[1], json.loads(record[1])["verdict"] if record else "NOT_RUN"
        if stage == "compile":
            if verdict == "PASS":
                verdict = COMPILES if what in compiles else "NOT_RUN"
            verdicts.setdefault((task, what), verdict)
        elif verdict != "NOT_RUN":
            verdicts[task, what] = verdict
    return verdicts


def run(command, accepted=(0,)):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode not in accepted:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise Failure(f"{' '.join(command[:4])} ...: exit code {done.returncode}:\n{tail}")


if __name__ == "__main__":
    sys.exit(main())
