#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drops nasty candidates into a project, builds it with plain CMake, runs CTest, and makes the report. None may be lost (each has
its verdict, or was named as skipped), none may be a HARNESS_ERROR, the build ends with 0, and all that comes out is well formed."""
import argparse
import csv
import html.parser
import io
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

import candidates

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(Nasty LANGUAGES CXX)
enable_testing()
find_package(KernelAssay REQUIRED)
kernel_tasks(tasks)
kernel_candidates(generated)
"""
RUNS = ("plain", "second-run", "x")
TASKS = ("relu", "softmax")  # of the same arguments


class Lost(Exception):
    """KernelAssay did not hold."""


def expect(condition, message):
    if not condition:
        raise Lost(message)


def run(*command, **keywords):
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False, **keywords)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def draw(folder, count, seed, device):
    """Writes `count` candidates. Returns what each is to be found by: the name of its tests, or a piece of a line about skipping."""
    expected = []
    outside = folder / "outside.cpp"
    outside.write_text(candidates.relu())
    free = {(name, task): list(range(1000)) for name in RUNS for task in TASKS}
    for i in range(count):
        dice = random.Random(f"{seed}.{i}")
        name, task = dice.choice(RUNS), dice.choice(TASKS)
        place = folder / "generated" / name / task
        place.mkdir(parents=True, exist_ok=True)
        sample = f"{free[name, task].pop(0):03d}"
        kind = dice.random()
        if kind < 0.05:
            candidates.write(place / dice.choice(candidates.NAMES).format(f"nasty{i}x"), "int x;")
            expected.append((i, "skipped", f"nasty{i}x"))
        elif kind < 0.10:
            candidates.make_odd_file(place / f"{sample}.cpp", dice, outside)
            expected.append((i, "either", f"{name}/{task}/{sample}.cpp"))
        elif kind < 0.15:
            candidates.make_folder(place / sample, candidates.Source(dice), dice, outside)
            expected.append((i, "either", f"{name}/{task}/{sample}"))
        elif kind < 0.25 and device:
            candidates.write(place / f"{sample}.cl", candidates.of_task(task, getattr(candidates.Device(dice), dice.choice(candidates.DEVICE_KINDS))()))
            expected.append((i, "judged", f"{name}.{task}.opencl.{sample}"))
        else:
            candidates.write(place / f"{sample}.cpp", candidates.of_task(task, getattr(candidates.Source(dice), dice.choice(candidates.HOST))()))
            expected.append((i, "judged", f"{name}.{task}.cpp.{sample}"))
    return expected


def record_of(case):
    output = case.findtext("system-out") or ""
    line = output.lstrip().partition("\n")[0]
    return json.loads(line[len("assay: "):]) if line.startswith("assay: {") else None


def check_verdicts(expected, skipped, cases):
    verdicts = {}
    for i, how, what in expected:
        name = re.sub(r"^([^/]+)/([^/]+)/(\d{3})(?:\.cpp)?$", r"\1.\2.cpp.\3", what)
        if how == "skipped" or (how == "either" and f"{name}.compile" not in cases):
            expect(what in skipped, f"candidate {i} ({what}) was neither judged nor named")
            verdicts["skipped"] = verdicts.get("skipped", 0) + 1
            continue
        last = None
        for stage in ("compile", "test"):
            if last in (None, "PASS"):
                expect(f"{name}.{stage}" in cases, f"candidate {i} has no test {name}.{stage}")
                record = record_of(cases[f"{name}.{stage}"])
                expect(record is not None, f"candidate {i}: {name}.{stage} left no record:\n{cases[f'{name}.{stage}'].findtext('system-out')}")
                last = record["verdict"]
                expect(last != "HARNESS_ERROR", f"candidate {i}: {name}.{stage}: HARNESS_ERROR: {record['detail']}")
        verdicts[last] = verdicts.get(last, 0) + 1
    return verdicts


def dangerous(text):
    """Characters that move, hide or turn text; XML itself forbids some of them."""
    return {f"U+{ord(c):04X}" for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")}


class Page(html.parser.HTMLParser):
    VOID = ("meta", "link", "br", "hr", "img", "col", "input", "rect", "circle", "line", "path")

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        expect(tag not in ("script", "iframe", "object") and not any(key.startswith("on") for key, _ in attrs), f"the page has <{tag} {attrs}>")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            expect(self.open and self.open.pop() == tag, f"</{tag}> closes nothing")


def check_report(assay, junit, folder):
    files = {kind: folder / f"report.{kind}" for kind in ("html", "csv", "json")}
    code, text = run(assay, "report", junit, *(word for kind, file in files.items() for word in (f"--{kind}", file)))
    expect(code == 0, f"report: exit code {code}\n{text}")
    expect(not dangerous(text), f"the report's text holds {dangerous(text)}")
    page = files["html"].read_text(encoding="utf-8")
    expect(not dangerous(page), f"the page holds {dangerous(page)}")
    parser = Page()
    parser.feed(page)
    parser.close()
    expect(not parser.open, f"the page leaves open: {parser.open}")
    rows = list(csv.reader(io.StringIO(files["csv"].read_bytes().decode(), newline="")))
    expect(len({len(row) for row in rows}) == 1, "the table's rows differ in length")
    for row in rows:
        for cell in row:
            expect(not cell.startswith(("=", "+", "@")) and not re.match(r"-[^0-9]", cell) and not dangerous(cell), f"a cell computes: {cell}")
    json.loads(files["json"].read_text(encoding="utf-8"))


def judge(options, folder):
    shutil.rmtree(folder / "generated", ignore_errors=True)
    prefix, source, build = folder / "prefix", folder / "source", folder / "build"
    code, text = run(options.cmake, "--install", options.build, "--prefix", prefix)
    expect(code == 0, text)
    source.mkdir()
    (source / "CMakeLists.txt").write_text(PROJECT)
    for task in ("activation/relu", "activation/softmax"):
        shutil.copytree(options.source / "tasks" / task, source / "tasks" / task)
    expected = draw(source, options.count, options.seed, (options.build / "bin/assay-opencl").exists())
    code, configured = run(options.cmake, "-G", "Ninja", "-S", source, "-B", build, f"-DKernelAssay_ROOT={prefix}", "-DKERNELASSAY_EFFORT=quick")
    expect(code == 0, f"configure: {code}\n{configured}")
    skipped = "\n".join(re.findall("kernel_candidates: skipped .*", configured))
    expect(not dangerous(skipped), f"the names of those that are skipped hold {dangerous(skipped)}")
    code, text = run(options.cmake, "--build", build, "--", "-k", "0", "-j", options.jobs)
    expect(code == 0, f"build: {code}\n{text}")
    expect("HARNESS_ERROR" not in text, text)
    junit = folder / "junit.xml"
    run(options.ctest, "--test-dir", build, "-LE", "stage:bench", "-j", options.jobs, "--output-junit", junit)
    found = dangerous(junit.read_text(encoding="utf-8", errors="strict"))
    expect(not found, f"the JUnit holds {found}")
    cases = {case.get("name"): case for case in xml.etree.ElementTree.parse(junit).iter("testcase")}
    verdicts = check_verdicts(expected, skipped, cases)
    check_report(options.build / "bin/assay", junit, folder)
    print(f"{options.count} candidates of seed {options.seed}, none lost: {dict(sorted(verdicts.items()))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True, help="KernelAssay's source folder")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="its build folder, with the tools built")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--ctest", default="ctest")
    parser.add_argument("--keep", action="store_true", help="leave the project, and say where")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-nasty-"))
    try:
        judge(options, folder)
    except Lost as lost:
        print(f"FAILED: {lost}\nseed {options.seed}")
        sys.exit(1)
    finally:
        if options.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
