#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SIGKILL at random moments: of the judge in each stage, of a box, of a compiler, of ninja and of ctest. Nothing is left
behind, no record is half there, one kill from outside is never the candidate's fault, and the next run gives the verdicts of
an undisturbed one."""
import csv
import os
import random
import shlex
import signal
import subprocess
import time

import judge
from judge import expect


COMPILERS = ("cc1plus", "c++", "g++", "clang")


def main(options, folder):
    tree = judge.Tree(options, folder).prepare()
    tree.expect_good()
    before = judge.shared_memory()
    times = options.times or 4
    kill_judges(tree, times)
    kill_others(tree, times)
    kill_compilers_again(tree)
    kill_readers(tree)
    kill_ninja(tree, max(2, times // 3))
    kill_ctest(tree, max(2, times // 3))
    left = judge.shared_memory() - before
    expect(not left, f"shared memory is left behind: {left}")
    refuse_cut_junit(tree)


def duration(tree, stage):
    begin = time.monotonic()
    tree.run(stage)
    return time.monotonic() - begin


def kill_judges(tree, times):
    for stage in ("build", "test", "bench"):
        length = duration(tree, stage)
        for _ in range(times):
            process = tree.start(stage)
            time.sleep(random.uniform(0, 1.1 * length))
            process.kill()
            process.communicate()
            tree.expect_nobody()
            tree.expect_whole_record()
            if stage == "build":
                tree.run("build")
                expect(not tree.leftovers(), f"the next compilation must clean up, left: {tree.leftovers()}")
        tree.expect_good(("compile", "test"))


def kill_others(tree, times):
    """A box or the baseline is killed by somebody else, such as the kernel when memory runs out. A box is run a second time. The
    baseline is ours: without it nothing can be said of the candidate. A kill may come too late to be noticed, so there are more
    until one is in time."""
    for stage, victim in (("test", "assay-box"), ("bench", "assay-box"), ("bench", "assay-baseline")):
        hits = 0
        for attempt in range(20 * times):
            process = tree.start(stage)
            killed = kill_one(tree, process, victim)
            done = judge.finish(process)
            tree.expect_nobody()
            if victim == "assay-box":
                hits += killed
                expect(done.verdict in judge.FAIR, f"{stage}: {done.verdict} after one kill from outside\n{done.text}")
            elif done.verdict == "HARNESS_ERROR":
                hits += 1
                expect(killed and any(reason in done.text for reason in ("killed from outside", "cannot start", "did not announce")),
                       f"{stage}: no reason\n{done.text}")
            if hits > 0 and attempt + 1 >= times:
                break
        expect(hits > 0, f"no kill of {victim} in stage {stage} came in time: nothing was tested")
    tree.expect_good()


def kill_compilers_again(tree):
    """A compiler that is killed once costs nobody anything. Twice, while other sources compile, counts as the source's doing: its
    memory may be why. Where no source compiles, it is the machine."""
    for kills in (1, 2, 3):
        shown = expect_by_kills(tree, kills, lambda process: kill_one(tree, process, COMPILERS, most_wait=0))
        expect(kills == 1 or "is killed, holding" in shown.text, f"no reason\n{shown.text}")
    expect(tree.run("build").code == 0, "the next build must compile it")
    tree.expect_good()


def kill_readers(tree):
    """What reads a candidate's files dies, as by a file that no one has thought of: the build goes on."""
    for kills in (1, 2):
        expect_by_kills(tree, kills, kill_child)
        tree.run("build")
        expect(not tree.leftovers(), f"left behind: {tree.leftovers()}")
    tree.expect_good()


def expect_by_kills(tree, kills, kill):
    """What `assay compile` shows. One of the kills may hit a process that has done its work, or two of them one compilation, where the
    machine is busy: so a milder verdict says nothing, and the next build is killed."""
    by_kills = ["PASS", "COMPILE_ERROR", "HARNESS_ERROR"]
    milder, expected = by_kills[:kills - 1], by_kills[kills - 1]
    for _ in range(10):
        done = until_in_time(tree, lambda process: all([kill(process) for _ in range(kills)]))
        shown = tree.run("compile")
        expect(done.code == 0 and shown.verdict in [*milder, expected],
               f"{kills} kills: {shown.verdict}, expected {expected}\n{done.text}{shown.text}")
        if shown.verdict == expected:
            return shown
    raise judge.Fault(f"{kills} kills: never {expected}\n{shown.text}")


def kill_child(process):
    """The process in which `assay compile` reads."""
    while process.poll() is None:
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as children:
            pids = children.read().split()
        if pids:
            time.sleep(0.02)
            try:
                os.kill(int(pids[0]), signal.SIGSEGV)
            except ProcessLookupError:
                return False
            while process.poll() is None and os.path.exists(f"/proc/{pids[0]}"):
                time.sleep(0.001)
            return True
    return False


def until_in_time(tree, kill):
    """A build in which all kills are in time: on a busy machine a process may be over before it is seen."""
    for _ in range(20):
        process = tree.start("build")
        in_time = kill(process)
        done = judge.finish(process)
        tree.expect_nobody()
        if in_time:
            return done
    raise judge.Fault("no build was killed in time: nothing was tested")


def kill_one(tree, process, victims, most_wait=0.05):
    wait = random.uniform(0, most_wait)
    while process.poll() is None:
        for pid, name in tree.processes().items():
            if os.path.basename(name).startswith(victims):
                time.sleep(wait)
                try:
                    os.kill(pid, signal.SIGKILL)
                    while os.path.exists(f"/proc/{pid}"):  # or it would be found again
                        time.sleep(0.001)
                    return True
                except ProcessLookupError:
                    pass
        time.sleep(0.001)
    return False


def kill_ninja(tree, times):
    """The build edge is the one that kernel_candidates() writes. Killed are ninja, then in its place the compiler, until one is in time."""
    record = f"{tree.prefix}.compile.json"
    command = " ".join(shlex.quote(word) for word in tree.command("build"))
    (tree.folder / "build.ninja").write_text(f"rule custom\n  command = {command}\n  restat = 1\n"
                                             f"build {record}: custom {tree.source} {tree.plan_file}\n")
    ninja = [tree.options.ninja, "-C", str(tree.folder)]
    killed = False
    for i in range(20 * times):
        if killed and i >= times:
            break
        tree.source.write_text(f"{judge.CANDIDATE}// {i}\n")
        process = subprocess.Popen(ninja, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if i % 2 == 0:
            time.sleep(random.uniform(0, 1))
            process.kill()
            process.communicate()
        else:
            killed |= kill_one(tree, process, COMPILERS)
            done = judge.finish(process)
            expect(done.code == 0, f"ninja must go on\n{done.text}")
        tree.expect_nobody()
        tree.expect_whole_record()
        done = judge.finish(subprocess.Popen(ninja, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        expect(done.code == 0, f"the next build: {done.code}\n{done.text}")
        tree.expect_good(("compile", "test"))
    expect(killed, "no compiler was seen: nothing was tested")


def write_ctest_project(tree):
    """The tests of one candidate as kernel_candidates() declares them."""
    name, lines = "mine.relu.cpp.000", []
    needs = {"compile": "", "test": f"{name}.compile;cases", "bench": f"{name}.test;timing;machine"}
    for stage in ("cases", "timing", "machine"):
        lines += [f"add_test([=[assay.{stage}]=] {quoted(tree.command(stage))})",
                  f"set_tests_properties([=[assay.{stage}]=] PROPERTIES FIXTURES_SETUP {stage})"]
    for stage, required in needs.items():
        command = tree.command(stage)
        lines += [f"add_test([=[{name}.{stage}]=] {quoted(command)})",
                  f"set_tests_properties([=[{name}.{stage}]=] PROPERTIES"
                  f' FIXTURES_SETUP "{name}.{stage}" FIXTURES_REQUIRED "{required}")']
    project = tree.folder / "project"
    project.mkdir(exist_ok=True)
    (project / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")
    (project / "CTestCustom.cmake").write_text("set(CTEST_CUSTOM_MAXIMUM_PASSED_TEST_OUTPUT_SIZE 65536)\n")
    return project


def quoted(words):
    return " ".join(f"[=[{word}]=]" for word in words)


def ctest_command(tree, project, junit):
    return [tree.options.ctest, "--test-dir", str(project), "--output-junit", str(junit)]


def kill_ctest(tree, times):
    project, junit = write_ctest_project(tree), tree.folder / "junit.xml"
    begin = time.monotonic()
    run_ctest(tree, project, junit)
    length = time.monotonic() - begin
    for _ in range(times):
        junit.unlink(missing_ok=True)
        process = subprocess.Popen(ctest_command(tree, project, junit), stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0, length))
        process.kill()
        process.wait()
        tree.expect_nobody()
        if not junit.exists():
            missing = report(tree, junit)
            expect(missing.code == 2 and "cannot be read" in missing.text, f"no JUnit: {missing.code}\n{missing.text}")
    run_ctest(tree, project, junit)


def run_ctest(tree, project, junit):
    """Undisturbed: the candidate passes. 8 is CTest's word for a failed test, which INCONCLUSIVE is."""
    table = tree.folder / "table.csv"
    done = subprocess.run(ctest_command(tree, project, junit), capture_output=True, text=True, check=False)
    expect(done.returncode in (0, 8), f"ctest: {done.returncode}\n{done.stdout}{done.stderr}")
    reported = report(tree, junit, "--csv", table)
    expect(reported.code == 0, f"an undisturbed run must be reported\n{reported.text}")
    with open(table, newline="", encoding="utf-8") as file:
        row, = csv.DictReader(file)
    expect(row["test_verdict"] == "PASS" and row["bench_verdict"] in judge.FAIR, f"an undisturbed run must pass: {row}")


def refuse_cut_junit(tree):
    text = (tree.folder / "junit.xml").read_bytes()
    cut = tree.folder / "cut.xml"
    for length in sorted(random.sample(range(len(text.rstrip()) - 1), 12)) + [0]:
        cut.write_bytes(text[:length])
        done = report(tree, cut)
        expect(done.code == 2 and "cut.xml" in done.text and "run ctest again" in done.text,
               f"cut at {length}: {done.code}\n{done.text}")


def report(tree, junit, *more):
    done = subprocess.run([tree.options.assay, "report", junit, *more], capture_output=True, text=True, check=False)
    return judge.Done(done.returncode, done.stdout + done.stderr)


if __name__ == "__main__":
    judge.main(main)
