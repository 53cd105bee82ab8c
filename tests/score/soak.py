#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A day of assay serve, by count: samples that all differ, a share of them hostile.

usage: soak.py ASSAY BUILD SOURCE [--count 20000] [--hostile 10] [--at-once 16] [--task relu]

Candidates are the task's reference, a wrong one, and every --hostile'th one of tests/stages/hostile; each has a comment of its own, so that
none is reused. Each must get its verdict and none be masked. After the first fifth the server may grow by 16 MiB, and in the end there must be
no process, descriptor, thread or file that was not there before. Prints a line for each twentieth part; exit 1 where something is missed.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys
import time

KEPT_MIB = 2  # of answers and verdicts, so that what the server may keep is full soon
MOST_GROWTH_MIB = 16
DEADLINE_S = 10  # of what is hostile: sooner than the task's own limits end it


def hostile_sources(source):
    files = sorted((source / "tests/stages/hostile").glob("*.cpp"))
    return [(file.name.split(".")[0], file.read_text(errors="replace")) for file in files if not file.name.startswith("PASS")]


def samples(options, count, first):
    reference = next((options.source / "references").glob(f"*/{options.task}.cpp")).read_text()
    hostile = hostile_sources(options.source)
    for i in range(first, first + count):
        verdict, text, deadline = "PASS", reference, 600
        if i % options.hostile == 0:
            verdict, text = hostile[i // options.hostile % len(hostile)]
            deadline = DEADLINE_S
        yield verdict, {"task": options.task, "source": f"{text}\n// {i}\n", "deadline_s": deadline}


def as_expected(verdict, answer):
    """What is hostile may be cut off by its deadline on a busy machine; it never has a reward."""
    if answer.get("masked") is not False:
        return False
    if verdict == "PASS":
        return answer["verdict"] == "PASS" and answer["reward"] == 1
    return answer["verdict"] in (verdict, "TIMEOUT", "COMPILE_TIMEOUT") and answer["reward"] == 0


def left_over(server, build):
    """Of the server: processes, threads, descriptors, files. It adopts the boxes that their judges leave."""
    process = pathlib.Path(f"/proc/{server.process.pid}")
    threads = len(list((process / "task").iterdir()))
    files = list((build / "score").glob("work.*/samples/*"))
    return {"processes": len(server.children()), "threads": threads, "descriptors": len(os.listdir(process / "fd")), "files": len(files)}


def judged(server, pool, options, count, first):
    missed = collections.Counter()

    def one(each):
        verdict, sample = each
        status, answer = server.score(**sample)
        if status != 200 or not as_expected(verdict, answer):
            missed[f"{verdict}: got status {status}, {answer.get('verdict')}, {answer.get('masked_because', answer.get('error', ''))}"] += 1
        return answer.get("verdict")

    verdicts = collections.Counter(pool.map(one, samples(options, count, first)))
    return verdicts, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--hostile", type=int, default=10)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--task", default="relu")
    options = parser.parse_args()
    sys.argv[1:] = [str(options.assay), str(options.build), str(options.source)]
    import serve
    server = serve.Server("--keep", str(KEPT_MIB), "--default-deadline", "60")
    good, total, parts, sizes, began = True, 0, 20, [], time.monotonic()
    verdicts, missed = collections.Counter(), collections.Counter()
    try:
        with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
            judged(server, pool, options, options.at_once, -options.at_once)  # threads, fixture and folders are there
            time.sleep(3)
            before = left_over(server, options.build)
            for part in range(parts):
                count = options.count * (part + 1) // parts - total
                of_part, missed_in_part = judged(server, pool, options, count, total)
                total += count
                verdicts += of_part
                missed += missed_in_part
                sizes.append(server.metric("process_resident_memory_bytes") / 2**20)
                seconds = time.monotonic() - began
                print(f"soak: {total} samples in {seconds:.0f} s ({total / seconds:.1f}/s), {sizes[-1]:.0f} MiB, {sum(missed.values())} missed", flush=True)
        time.sleep(5)  # a box dies a moment after its judge
        after = left_over(server, options.build)
    finally:
        code = server.end()[0]
    left = len(list((options.build / "score").glob("work.*")))
    most = {**before, "threads": before["threads"] + options.at_once}  # one for each connection, made when all others are busy
    growth = max(sizes[parts // 5:]) - sizes[parts // 5 - 1]
    print(f"soak: {total} samples: {dict(verdicts.most_common())}")
    for what, number in missed.most_common(20):
        print(f"soak: missed {number} times: {what}")
    for what, holds in [(f"{sum(missed.values())} samples without their verdict", not missed), (f"grows by {growth:.1f} MiB after the first fifth", growth <= MOST_GROWTH_MIB),
                        (f"before: {before}, after: {after}", all(after[key] <= most[key] for key in after)),
                        (f"ends with {code} and leaves {left} folders", code == 0 and left == 0)]:
        print(f"soak: {what}: {'good' if holds else 'MISSED'}")
        good &= holds
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
