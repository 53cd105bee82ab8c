#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay serve beside the same work by hand: compiler, linker and a loader that runs the candidate once on each of its inputs.

usage: measure.py ASSAY BUILD SOURCE [--count 200] [--at-once 768] [--only latency,throughput,at-once]

  latency     one warm candidate at a time: its answer's time over that by hand; the median of ten sources at most 1.3
  throughput  --count candidates: two cores by hand over the server's time; at least 0.8
  at-once     --at-once requests at the same time, one in 32 of them hostile: each is answered, with its verdict; the median time beside the queue at most 0.4 s

Exit 1 where one is missed. Candidates are those of generated/ that the server passes; each has a comment of its own, so that none is reused.
"""
import argparse
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parents[1] / "score")]
import plan as plans  # noqa: E402

spec = importlib.util.spec_from_file_location("cost", HERE.parent / "cost/measure.py")
cost = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cost)

HOSTILE = ("WRONG_RESULT", "CRASH", "POLICY", "TIMEOUT", "OUT_OF_BOUNDS", "MEMORY_LIMIT", "INPUT_MODIFIED", "COMPILE_ERROR")


class ByHand:
    def __init__(self, assay, build, work):
        self.assay, self.build, self.work, self.tasks = assay, build, work, {}
        (work / "loader.c").write_text(cost.LOADER)
        cost.run(["gcc", "-O2", "-fPIC", "-c", work / "loader.c", "-o", work / "loader.o"])

    def prepare(self, task):
        if task not in self.tasks:
            plan_file = self.build / "kernelassay" / task / "cpp.plan.json"
            cost.run([f"{self.assay}-judge", "cases", "--plan", plan_file])
            plan = plans.load(plan_file)
            flat = self.work / f"{task}.inputs"
            cost.flatten_cases(pathlib.Path(plan["task"]["cases"]), flat)
            self.tasks[task] = (plan, flat)
        return self.tasks[task]

    def judge(self, task, source, name):
        plan, flat = self.prepare(task)
        file, out = self.work / f"{name}.cpp", self.work / name
        file.write_text(source)
        flags = [flag for flag in plan["toolchain"]["compile"] if flag != "-shared" and not flag.startswith("-Wl,")]
        include = [f"-I{folder}" for folder in plan["context"]] + ["-include", "kernel.h"]
        environment = {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive"}
        failed = (cost.run([*flags, *include, "-c", file, "-o", f"{out}.o"])
                  or cost.run([*flags, f"{out}.o", plan["stub"], self.work / "loader.o", "-o", out]) or cost.run([out, flat], env=environment))
        for each in (file, out, pathlib.Path(f"{out}.o")):
            each.unlink(missing_ok=True)
        return not failed


def passing(server, root):
    """(task, source) of the candidates in generated/ that pass in less than two seconds."""
    found = []
    for file in sorted((root / "generated").glob("*/*/*.cpp")):
        task, source = file.parent.name, file.read_text(errors="replace")
        status, answer = server.score(task=task, source=source)
        if status == 200 and answer["verdict"] == "PASS" and answer["judged_s"] < 2:
            found.append((task, source))
    return found


def distinct(sources, count, mark):
    return [(task, f"{source}\n// {mark} {i}\n") for i, (task, source) in ((i, sources[i % len(sources)]) for i in range(count))]


def latency(server, by_hand, sources):
    ratios = []
    for task, source in sources[:: max(1, len(sources) // 10)][:10]:
        ours, hand = [], []
        by_hand.prepare(task)
        for i in range(5):
            began = time.monotonic()
            server.score(task=task, source=f"{source}\n// latency {i}\n")
            ours.append(time.monotonic() - began)
            began = time.monotonic()
            by_hand.judge(task, source, "latency")
            hand.append(time.monotonic() - began)
        ratios.append(min(ours) / min(hand))
        print(f"latency: {task}: {min(ours):.3f} s, by hand {min(hand):.3f} s, ratio {ratios[-1]:.2f}", flush=True)
    return say("latency of one warm candidate over by hand", statistics.median(ratios), 1.3, at_most=True)


def throughput(server, by_hand, sources, count):
    samples = distinct(sources, count, "throughput")
    for task, _ in samples:
        by_hand.prepare(task)
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        verdicts = list(pool.map(lambda sample: server.score(task=sample[0], source=sample[1])[1]["verdict"], samples))
    ours = time.monotonic() - began
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        good = list(pool.map(lambda each: by_hand.judge(*each[1], f"throughput{each[0]}"), enumerate(samples)))
    hand = time.monotonic() - began
    print(f"throughput: {count} candidates in {ours:.1f} s ({count / ours:.1f}/s), by hand {hand:.1f} s ({count / hand:.1f}/s); {verdicts.count('PASS')} pass, "
          f"{sum(good)} run", flush=True)
    return say("share of what the processors compile and test by hand", hand / ours, 0.8, at_most=False)


def at_once(server, root, sources, count):
    hostile = [(file.name.split(".")[0], file.read_text(errors="replace")) for file in sorted((root / "tests/stages/hostile").glob("*.cpp"))]
    hostile = [each for each in hostile if each[0] in HOSTILE]
    asked = [("PASS", task, source) for task, source in distinct(sources, count, "at once")]
    for i in range(0, count, 32):
        verdict, source = hostile[i // 32 % len(hostile)]
        asked[i] = (verdict, "relu", f"{source}\n// at once {i}\n")
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        answers = list(pool.map(lambda each: server.score(task=each[1], source=each[2]), asked))
    wall = time.monotonic() - began
    wrong = [(want, answer.get("verdict"), status) for (want, _, _), (status, answer) in zip(asked, answers) if answer.get("verdict") != want]
    beside = statistics.median(answer["judged_s"] for _, answer in answers if "judged_s" in answer)
    print(f"at once: {count} requests, {sum(want != 'PASS' for want, _, _ in asked)} hostile, in {wall:.1f} s ({count / wall:.1f}/s); {len(wrong)} with another "
          f"verdict: {wrong[:5]}", flush=True)
    return say("requests that are not answered with their verdict", len(wrong), 0, at_most=True) & say("median seconds beside the queue", beside, 0.4, at_most=True)


def say(what, value, limit, at_most):
    good = value <= limit if at_most else value >= limit
    print(f"serve: {what}: {value:.3g}, {'at most' if at_most else 'at least'} {limit}: {'good' if good else 'MISSED'}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=768)
    parser.add_argument("--only", default="latency,throughput,at-once")
    options = parser.parse_args()
    sys.argv[1:] = [str(options.assay), str(options.build), str(options.source)]
    import serve as front
    only = options.only.split(",")
    work = pathlib.Path(tempfile.mkdtemp(prefix="serve-"))
    server = front.Server("--most-waiting", str(options.at_once + 100), "--default-deadline", "60")
    good = True
    try:
        by_hand = ByHand(options.assay, options.build, work)
        sources = passing(server, options.source)
        print(f"{len(sources)} candidates of generated/ pass", flush=True)
        if "latency" in only:
            good &= latency(server, by_hand, sources)
        if "throughput" in only:
            good &= throughput(server, by_hand, sources, options.count)
        if "at-once" in only:
            good &= at_once(server, options.source, sources, options.at_once)
    finally:
        code = server.end()[0]
        shutil.rmtree(work)
    left = list((options.build / "score").glob("work.*"))
    return 0 if good & say("exit code of the server and folders that it leaves", abs(code) + len(left), 0, at_most=True) else 1


if __name__ == "__main__":
    sys.exit(main())
