#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation testing of the test stage: does the judge notice small faults in the references?

usage: campaign.py --mutate TOOL --build BUILD --work DIR [--count 18 | --reviewed] [--task NAME ...] [--leave-out NAME ...] [--seed 1]
                   [--least 0.99]

Each references/<category>/<task>.cpp becomes a folder of a drop-in directory: sample 000 is the reference itself, which must pass,
001 ... are its mutants, faults of its own text: the blocks that it includes have a test each. They go the way of every candidate:
kernel_candidates(), the build, CTest's stages compile and test, and the verdict is read from the JUnit by `assay report`. A mutant is

  no code      it does not compile                                                   not counted
  same code    the machine code and constants of its library are those of 000
               or of an earlier mutant                                               not counted
  killed       any verdict but PASS
  equivalent   PASS, and equivalent.tsv says why no test can tell it from the original
  survivor     PASS, and nobody has said why

Prints a table and each survivor. Exit status: 0; 1 where less than --least of killed + survivors are killed, a task has
fewer than --least-each mutants that count, or a row of equivalent.tsv is stale; 2 where the campaign itself failed.

With --reviewed the mutants of equivalent.tsv alone are judged: cases that came since may kill one, and a reference that was changed
may have it no more. Then only stale rows count.
"""
import argparse
import collections
import csv
import dataclasses
import functools
import os
import pathlib
import re
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from assembled import assembled  # noqa: E402
from declared_tasks import declared_tasks  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, CTEST = os.environ.get("CMAKE", "cmake"), os.environ.get("CTEST", "ctest")
RUN = "mutants"
OUTCOMES = ("no code", "same code", "killed", "equivalent", "survivor")


class Failure(Exception):
    """The campaign itself failed."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    task: str
    sample: str
    kind: str
    function: str
    line: str
    original: str
    mutated: str

    def key(self):
        return self.task, self.kind, self.original, self.mutated


@dataclasses.dataclass
class Result:
    mutant: Mutant
    outcome: str
    verdict: str
    seed: str = ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutate", type=pathlib.Path, required=True, help="the program of that name")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder whose tools judge")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for mutants and their build")
    parser.add_argument("--count", type=int, default=18, help="mutants of each reference (default: 18)")
    parser.add_argument("--reviewed", action="store_true", help="only the mutants that equivalent.tsv has")
    parser.add_argument("--task", action="append", default=[], help="only this task; may be repeated")
    parser.add_argument("--leave-out", nargs="*", default=[], help="not these tasks")
    parser.add_argument("--seed", default="1", help="ASSAY_SEED of the cases; empty: fresh (default: 1)")
    parser.add_argument("--least", type=float, default=0.99, help="share that must be killed (default: 0.99)")
    parser.add_argument("--least-each", type=int, default=10, help="mutants that must count (default: 10)")
    parser.add_argument("--equivalent", type=pathlib.Path, default=pathlib.Path(__file__).with_name("equivalent.tsv"))
    options = parser.parse_args()
    if options.reviewed:
        options.least = options.least_each = 0  # stale rows alone count
    options.repro = functools.partial(repro, options.work)
    try:
        rows = read_rows(options.equivalent)
        mutants = write_mutants(options, rows)
        if not mutants and options.leave_out:
            print("no reference is left to mutate")
            return 0
        results = classify(mutants, judge(options, sorted({m.task for m in mutants})), images(options, mutants), rows)
    except Failure as failure:
        print(f"campaign: {failure}", file=sys.stderr)
        return 2
    has_all_rows = options.reviewed and not options.task and not options.leave_out
    return report(results, stale_rows(rows, results, has_all_rows), options)


def read_rows(path):
    """equivalent.tsv: (task, kind, original, mutated) to the reason."""
    rows = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 5 or not all(fields):
            raise Failure(f"{path}:{number}: needs task, kind, original, mutated and reason, separated by tabs. "
                          f"got: {len(fields)} fields")
        if tuple(fields[:4]) in rows:
            raise Failure(f"{path}:{number}: the same mutation stands above. do: remove one")
        rows[tuple(fields[:4])] = fields[4]
    return rows


def write_mutants(options, rows):
    degenerate = degenerate_tasks()
    references = {path.stem: path for path in sorted((ROOT / "references").glob("*/*.cpp")) if path.stem not in degenerate}
    for task in options.task:
        if task not in references:
            raise Failure(f"--task {task}: no such reference. known: {' '.join(references)}")
    of_rows = {row[0] for row in rows}
    mutants = []
    for task in [task for task in options.task or references if task not in options.leave_out]:
        if options.reviewed and task not in of_rows:
            continue
        out = options.work / "generated" / RUN / task
        listed = run([options.mutate, references[task], "-I", ROOT / "references", "-I", options.build / "kernelassay" / task / "context",
                      "--out", out, *([] if options.reviewed else ["--count", options.count])])
        chosen = [Mutant(task, *line.split("\t")) for line in listed.splitlines()]
        if options.reviewed:
            chosen = [mutant for mutant in chosen if mutant.key() in rows]
            keep_only(out, {"000", *(mutant.sample for mutant in chosen)})
        for mutant in out.glob("*.cpp"):
            mutant.write_text(assembled(mutant.read_text(), ROOT / "references"))
        mutants += chosen
    return mutants


def keep_only(folder, samples):
    for file in folder.glob("*.cpp"):
        if file.stem not in samples:
            file.unlink()


def degenerate_tasks():
    """They judge nobody: their own admission says so."""
    return {task.name for task in declared_tasks(ROOT / "tasks") if re.search(r"(^|[{,] *)degenerate:", task.text, re.MULTILINE)}


def judge(options, tasks):
    """(task, sample) to a row of the report's CSV, for all samples, 000 among them."""
    tools, build, junit, table = (options.work / name for name in ("tools", "build", "junit.xml", "report.csv"))
    run([CMAKE, "--install", options.build, "--prefix", tools])
    run([CMAKE, "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DKERNELASSAY_BUILD_TESTS=OFF", f"-DKERNELASSAY_TOOLS={tools}",
         f"-DKERNELASSAY_CANDIDATES={options.work / 'generated'}"])
    run([CMAKE, "--build", build, "--target", *(f"{RUN}.{task}.candidates" for task in tasks), "--", "-k", "0"])
    chosen = f"^{RUN}[.]({'|'.join(tasks)})[.]cpp[.][0-9]+[.](compile|test)$"
    environment = dict(os.environ, ASSAY_SEED=options.seed)
    # 8: tests failed, which is what mutants are for. 3: a HARNESS_ERROR, which classify() names.
    run([CTEST, "--test-dir", build, "-R", chosen, "--parallel", os.cpu_count(), "--no-tests=error",
         "--output-junit", junit], accepted=(0, 8), env=environment)
    run([tools / "bin/assay", "report", junit, "--csv", table], accepted=(0, 3))
    with open(table, newline="") as file:
        return {(row["task"], row["sample"]): row for row in csv.DictReader(file) if row["run"] == RUN}


def images(options, mutants):
    """(task, sample) to what the machine would execute, for all that were compiled, 000 among them."""
    folder = options.work / "build/kernelassay"
    names = {(m.task, m.sample) for m in mutants} | {(m.task, "000") for m in mutants}
    paths = {name: folder / name[0] / RUN / f"{name[1]}.cpp.so" for name in names}
    return {name: loaded_image(path.read_bytes()) for name, path in paths.items() if path.exists()}


def loaded_image(elf):
    """Names and contents of a 64-bit ELF file's loaded sections. Code alone will not do: literals lie in .rodata."""
    sections_at, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, sections_at + i * size) for i in range(count)]
    names_at = headers[names_index][4]
    image = []
    for name, kind, flags, _, offset, length in headers:
        title = elf[names_at + name:elf.index(b"\0", names_at + name)]
        if flags & 2 and title != b".note.gnu.build-id":  # SHF_ALLOC
            contents = b"" if kind == 8 else elf[offset:offset + length]  # SHT_NOBITS has none
            image.append((title, length, contents))
    return tuple(image)


def classify(mutants, judged, compiled, rows):
    """The outcome of each mutant; raises Failure where there is none."""
    results, seen = [], {}
    for task in sorted({m.task for m in mutants}):
        control = judged.get((task, "000"))
        if control is None or control["test_verdict"] != "PASS":
            got = control["verdict"] if control else "no record"
            raise Failure(f"{task}: the reference itself does not pass. got: {got}")
        seen[task] = {compiled[task, "000"]: "000"}
    for mutant in mutants:
        row = judged.get((mutant.task, mutant.sample))
        if row is None or row["verdict"] in ("", "HARNESS_ERROR"):
            detail = row["detail"] if row else "no record in the JUnit"
            raise Failure(f"{mutant.task} {mutant.sample}: not judged: {detail}")
        verdict, outcome = row["test_verdict"] or row["compile_verdict"], "killed"
        if row["compile_verdict"] != "PASS":
            outcome = "no code"
        elif seen[mutant.task].setdefault(compiled[mutant.task, mutant.sample], mutant.sample) != mutant.sample:
            outcome = "same code"
        elif verdict == "PASS":
            outcome = "equivalent" if mutant.key() in rows else "survivor"
        results.append(Result(mutant, outcome, verdict, row["test_seed"]))
    return results


def stale_rows(rows, results, has_all_rows):
    """Rows that excuse nothing: of mutants that are killed, and, where the mutants of all rows were looked for, of none at all. A mutant
    that does not compile here (float16) or has the same code (another instruction set) may differ on another machine."""
    outcome = {result.mutant.key(): result.outcome for result in results}
    stale = []
    for key, reason in rows.items():
        # Whether undefined behaviour passes is the compiler's choice.
        if outcome.get(key) == "killed" and not reason.startswith("undefined behaviour:"):
            stale.append((key, "it is killed"))
        elif has_all_rows and key not in outcome:
            stale.append((key, "there is no such mutant"))
    return stale


def report(results, stale, options):
    tally = collections.defaultdict(collections.Counter)
    for result in results:
        tally[result.mutant.task][result.outcome] += 1
        tally["all"][result.outcome] += 1
    print(f"{'task':<48}" + "".join(f"{outcome:>12}" for outcome in OUTCOMES))
    for task in [*sorted(set(tally) - {"all"}), "all"]:
        print(f"{task:<48}" + "".join(f"{tally[task][outcome] or '.':>12}" for outcome in OUTCOMES))
    for result in results:
        if result.outcome == "survivor":
            print_survivor(result, options)
    for key, why in stale:
        print(f"stale row in {options.equivalent.name}: " + " | ".join(key) + f": {why}. do: remove it")
    few = [task for task in sorted(set(tally) - {"all"}) if count(tally[task]) < options.least_each]
    for task in few:
        print(f"{task}: {count(tally[task])} mutants count, at least {options.least_each} must. do: raise --count")
    killed, survivors, equivalent = (tally["all"][outcome] for outcome in ("killed", "survivor", "equivalent"))
    verdicts = collections.Counter(result.verdict for result in results if result.outcome == "killed")
    print("killed by " + ", ".join(f"{verdict} {n}" for verdict, n in verdicts.most_common()))
    share = killed / max(killed + survivors, 1)
    print(f"Mutants: {killed} killed of {killed + survivors} ({share:.1%}, at least {options.least:.1%} asked), "
          f"{equivalent} equivalent by review")
    return 1 if share < options.least or stale or few else 0


def repro(work, result):
    test = f"{RUN}.{result.mutant.task}.cpp.{result.mutant.sample}.test"
    return f"ASSAY_SEED={result.seed} ctest --test-dir {work / 'build'} -R '^{test}$'"


def count(outcomes):
    return outcomes["killed"] + outcomes["survivor"] + outcomes["equivalent"]


def print_survivor(result, options):
    mutant = result.mutant
    print(f"\nsurvivor: {mutant.task} {mutant.sample}, {mutant.kind}, in {mutant.function}, line {mutant.line}")
    print(f"  - {mutant.original}\n  + {re.sub(' #[0-9]+$', '', mutant.mutated)}")
    print(f"  repro: {options.repro(result)}")


def run(command, accepted=(0,), **keywords):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **keywords)
    if done.returncode not in accepted:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise Failure(f"{' '.join(command[:4])} ...: exit code {done.returncode}:\n{tail}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
