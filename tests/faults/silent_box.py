#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Boxes that do not keep to the wire (fake_box.cpp). Before a box has announced itself, nothing of a candidate's has run:
that is our failure. After that, the candidate is in charge of the process, and of what it does. Each ends within the judge's limits."""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import time

import judge
from judge import expect

# What the judge must say of each, and a word of its reason.
EXPECTED = {
    "exits_at_once": ("HARNESS_ERROR", "did not announce itself"),
    "never_arrives": ("HARNESS_ERROR", "did not announce itself"),
    "begins_with_rubbish": ("HARNESS_ERROR", "did not announce itself"),
    "exits_while_loading": ("CRASH", "ended the process"),
    "never_loads": ("TIMEOUT", "loading"),
    "never_answers": ("TIMEOUT", "a call took longer"),
    "answers_with_rubbish": ("TIMEOUT", "a call took longer"),
    "closes_everything": ("TIMEOUT", "a call took longer"),  # it may ask for that, and is refused
}


def main(options, folder):
    tree = judge.Tree(options, folder).prepare()
    # The judge waits half a minute for a box to announce itself: for the long run.
    expected = {how: what for how, what in EXPECTED.items() if options.times or how != "never_arrives"}
    processes = {how: start_with(tree, options.box, how) for how in expected}
    processes["stopped from outside"] = stop_the_box_of(tree)
    expected["stopped from outside"] = ("TIMEOUT", "a call took longer")
    with concurrent.futures.ThreadPoolExecutor(len(processes)) as pool:
        done = dict(zip(processes, pool.map(judge.finish, processes.values())))
    for how, (verdict, reason) in expected.items():
        expect(done[how].verdict == verdict and reason in done[how].text, f"{how}: {done[how].verdict}\n{done[how].text}")
    tree.expect_nobody()
    not_a_program = folder / "not_a_program"
    not_a_program.write_text("rubbish")
    for box in (not_a_program, folder / "missing"):
        tree.write_plan(tree.plan_with("toolchain", box=str(box)))
        expect(tree.run("test").verdict == "HARNESS_ERROR", f"{box.name}: a box that cannot run is no candidate's fault")
    kill_before_it_arrives(tree, options.box)


def kill_before_it_arrives(tree, silent):
    """One kill costs nobody anything. Two are our failure, since nothing of the candidate's has run."""
    for stage in ("test", "bench"):
        for kills, verdicts in ((1, judge.FAIR), (2, ("HARNESS_ERROR",))):
            program = tree.folder / "never_arrives"
            shutil.copy(silent, program)
            tree.write_plan(tree.plan_with("toolchain", box=str(program)))
            process, killed = tree.start(stage), set()
            while len(killed) < kills:
                box = wait_for_another(tree, process, program, killed)
                if kills == 1:
                    another = shutil.copy(f"{tree.options.assay}-box", tree.folder / "another")
                    os.replace(another, program)
                os.kill(box, signal.SIGKILL)
                killed.add(box)
            done = judge.finish(process)
            expect(done.verdict in verdicts, f"{stage}, {kills} kills before a box arrives: {done.verdict}\n{done.text}")
            expect(kills == 1 or "did not announce itself: was killed from outside" in done.text, f"{stage}: no reason\n{done.text}")
            tree.expect_nobody()


def wait_for_another(tree, process, program, known):
    """A process of `program` that is not known yet."""
    while process.poll() is None:
        for pid, name in tree.processes().items():
            if name == str(program) and pid not in known:
                return pid
        time.sleep(0.01)
    raise judge.Fault(f"no box was started\n{judge.finish(process).text}")


def start_with(tree, box, how):
    program = tree.folder / how
    shutil.copy(box, program)
    standard, tree.plan_file = tree.plan_file, tree.plan_file.with_name(f"{how}.json")
    tree.plan_file.write_text(json.dumps(tree.plan_with("toolchain", box=str(program))))
    process = tree.start("test")
    tree.plan_file = standard
    return process


def stop_the_box_of(tree):
    """A right but endless kernel, whose box is stopped in the middle of the call."""
    source = tree.folder / "source/endless.cpp"
    source.write_text(judge.CANDIDATE.replace("{\n", "{\n  for (volatile int go = 1; go != 0;) {}\n", 1))
    prefix, tree.prefix = tree.prefix, tree.build / "mine/001.cpp"
    tree.run("build", source)
    process = tree.start("test")
    tree.prefix = prefix
    box = None
    while process.poll() is None and box is None:
        box = next((pid for pid, name in tree.processes().items() if name == tree.plan["toolchain"]["box"] and is_busy(pid)), None)
        time.sleep(0.01)
    if box is not None:
        os.kill(box, signal.SIGSTOP)
    return process


def is_busy(pid):
    """Whether it has computed for longer than any box takes to load: it is in the call."""
    try:
        in_user_mode = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11]
    except OSError:
        return False
    return int(in_user_mode) > 0.5 * os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    judge.main(main, "--box")
