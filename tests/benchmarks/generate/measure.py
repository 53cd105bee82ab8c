#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay generate at the size of a suite: 285 tasks, 5 samples each, 64 requests at a time, against the scripted server.
Prints time over the server's own limit and memory; then the same killed at random ten times, and what was lost or asked twice.
measure.py ASSAY SERVER BUILD"""
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TASKS, SAMPLES, CONCURRENCY, SECONDS, KILLS = 285, 5, 64, 0.5, 10
assay, server_program, build = sys.argv[1:4]


class Server:
    def __init__(self):
        self.process = subprocess.Popen([server_program, f"--seconds={SECONDS}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def end(self):
        return self.process.communicate(timeout=60)[0].strip()


def task_names():
    names = sorted(path.parent.name for path in pathlib.Path(build, "kernelassay").glob("*/cpp.plan.json"))
    if len(names) < TASKS:
        sys.exit(f"measure.py: {build} has {len(names)} tasks, fewer than {TASKS}")
    return names[:TASKS]


def write_config(folder, url):
    file = folder / "config.yaml"
    file.write_text(f"run: m\nmodel: small\nbase_url: {url}\nkey: none\nsamples: {SAMPLES}\nseed: 1\ntasks: [{', '.join(task_names())}]\n"
                    f"limits: {{concurrency: {CONCURRENCY}}}\n")
    return file


def start(folder, config, *more):
    return subprocess.Popen([assay, "generate", str(config), "--build", build, "--out", str(folder / "generated"), *more],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish(process):
    """Exit code, and the most memory in MB."""
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024


def answers(folder):
    return [json.loads(line)["id"] for line in (folder / "generated/m/answers.jsonl").read_text().splitlines()]


def measure_speed(folder):
    server = Server()
    config = write_config(folder, server.url)
    begin = time.monotonic()
    finish(start(folder, config, "--dry-run"))
    reading = time.monotonic() - begin
    begin = time.monotonic()
    code, megabytes = finish(start(folder, config))
    seconds = time.monotonic() - begin - reading
    limit = math.ceil(TASKS * SAMPLES / CONCURRENCY) * SECONDS  # rounds of answers that take equally long
    print(f"{TASKS * SAMPLES} requests, {CONCURRENCY} at a time: {seconds:.1f} s, {seconds / limit:.2f} of the server's own {limit:.1f} s "
          f"(and {reading:.1f} s for the prompts); {megabytes:.0f} MB; exit code {code}; the server saw {server.end()}")
    return code == 0 and len(set(answers(folder))) == TASKS * SAMPLES and seconds / limit <= 1.2 and megabytes <= 200


def measure_kills(folder):
    server = Server()
    config = write_config(folder, server.url)
    for _ in range(KILLS):
        process = start(folder, config)
        time.sleep(random.uniform(0.5, 3))
        process.send_signal(signal.SIGKILL)
        process.wait()
    code, _ = finish(start(folder, config))
    ids = answers(folder)
    seen = server.end()
    extra = int(seen.split()[0]) - TASKS * SAMPLES
    print(f"killed {KILLS} times: {len(set(ids))} of {TASKS * SAMPLES} answers, {len(ids) - len(set(ids))} of them twice; {extra} requests were under way "
          f"when it was killed; exit code {code}")
    candidates = len(list((folder / "generated/m").glob("*/*.cpp")))
    return code == 0 and len(ids) == len(set(ids)) == candidates == TASKS * SAMPLES and extra <= KILLS * CONCURRENCY


with tempfile.TemporaryDirectory() as fast, tempfile.TemporaryDirectory() as killed:
    good = [measure_speed(pathlib.Path(fast)), measure_kills(pathlib.Path(killed))]
sys.exit(0 if all(good) else 1)
