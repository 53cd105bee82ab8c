#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time that judging costs: compile and test stages, through the real build and CTest, over a bare compiler run.

usage: tests/benchmarks/cost/measure.py [--count 200] [--repeat 3]

Takes the candidates of generated/ and references/ that pass, copies them into --count candidates of a fresh drop-in
directory, and measures the user and system time of
  judged  cmake --build (compile of every candidate) and ctest of the stages compile and test, with the per-task fixtures
  bare    for each file: compiler with the same flags -c, link with a loader, run once on each of the same inputs

Exit 1 where the median ratio exceeds 1.15, or 1.35 for fewer than 200 candidates: what is done once for a task weighs more then.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import plan as plans  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / "build/evaluate"

LOADER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
extern "C"
#endif
void assay_call(void* const*, const int64_t*, void*);
int main(int argc, char** argv) {
  FILE* in = argc > 1 ? fopen(argv[1], "rb") : NULL;
  int64_t head[3];
  if (in == NULL) return 1;
  while (fread(head, sizeof head, 1, in) == 1) {
    int64_t sizes[64], dims[64];
    void* tensors[64];
    if (fread(sizes, 8, (size_t)(head[0] + head[1]), in) == 0 || (head[2] > 0 && fread(dims, 8, (size_t)head[2], in) == 0)) return 1;
    for (int64_t i = 0; i < head[0] + head[1]; ++i) {
      tensors[i] = aligned_alloc(64, ((size_t)sizes[i] + 64) / 64 * 64);
      if (i < head[0] && fread(tensors[i], 1, (size_t)sizes[i], in) != (size_t)sizes[i]) return 1;
    }
    assay_call(tensors, dims, NULL);
    for (int64_t i = 0; i < head[0] + head[1]; ++i) free(tensors[i]);
  }
  return 0;
}
"""


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def flatten_cases(case_file, out):
    """cases.bin to the loader's format: per case the counts, sizes, dims and input bytes."""
    data = case_file.read_bytes()
    length = struct.unpack_from("<Q", data, 8)[0]
    header = json.loads(data[16:16 + length])
    at = 16 + length
    width = [4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1]
    with open(out, "wb") as flat:
        for case in header["cases"]:
            sizes, blobs = [], []
            for size in case["inputs"]:
                sizes.append(size)
                blobs.append(data[at:at + size])
                at += size
            for output in case["outputs"]:
                count = 1
                for extent in output["shape"]:
                    count *= extent
                sizes.append(count * width[output["type"]])
                at += output["reals"] * 16 + (output["slack"] + output["exact"]) * 8
            dims = case["dim_values"]
            flat.write(struct.pack("<3q", len(case["inputs"]), len(case["outputs"]), len(dims)))
            flat.write(struct.pack(f"<{len(sizes)}q", *sizes) + struct.pack(f"<{len(dims)}q", *dims))
            for blob in blobs:
                flat.write(blob)


def passing_sources():
    """(task, file) of every candidate that the last evaluation's report has as PASS in the test stage."""
    report = subprocess.run([BUILD / "bin/assay", "report", BUILD, "--csv", "/dev/stdout"],
                            capture_output=True, text=True, check=False).stdout
    import csv
    rows = csv.DictReader(report[report.index("run,task,"):].splitlines())
    sources = []
    for row in rows:
        if row["run"] == "reference" or row["test_verdict"] != "PASS":
            continue
        sources.append((row["task"], ROOT / "generated" / row["run"] / row["task"] / f"{int(row['sample']):03}.cpp"))
    return [(task, source) for task, source in sources if source.exists()]


def run(command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, **options)
    return done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    if not (BUILD / "results").exists():
        sys.exit("cost: build/evaluate/results is not there. do: run scripts/evaluate first")
    sources = passing_sources()
    if not sources:
        sys.exit("cost: the last evaluation has no passing candidate")
    work = pathlib.Path(tempfile.mkdtemp(prefix="cost-"))
    chosen = [sources[i % len(sources)] for i in range(options.count)]
    counts, placed = {}, []
    for task, source in chosen:
        number = counts[task] = counts.get(task, -1) + 1
        target = work / "generated/cost" / task / f"{number:03}.cpp"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        placed.append((task, target))
    judged(work, placed)  # to have every file in the system's cache
    ratios = []
    for _ in range(options.repeat):
        ours = judged(work, placed)
        plain = bare(work, placed)
        ratios.append(ours / plain)
        print(f"{len(placed)} candidates of {len(counts)} tasks: judged {ours:.2f} s, bare {plain:.2f} s, ratio {ours / plain:.3f}", flush=True)
    shutil.rmtree(work)
    limit, ratio = 1.15 if len(placed) >= 200 else 1.35, statistics.median(ratios)
    print(f"cost: the median ratio is {ratio:.3f}, the limit {limit}: {'good' if ratio <= limit else 'MISSED'}")
    return 0 if ratio <= limit else 1


def judged(work, placed):
    build = work / "build"
    if not build.exists():
        # With the tools that the evaluation used; stubs and references of these tasks are built before the clock starts.
        run(["cmake", "--install", BUILD, "--prefix", work / "tools"])
        run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DKERNELASSAY_BUILD_TESTS=OFF", "-DKERNELASSAY_REFERENCES=CANDIDATES",
             f"-DKERNELASSAY_TOOLS={work / 'tools'}", f"-DKERNELASSAY_CANDIDATES={work / 'generated'}"])
        run(["cmake", "--build", build])
    for stale in build.glob("kernelassay/*/cost/*.compile.json"):
        stale.unlink()
    before = cpu_seconds()
    if run(["cmake", "--build", build]) != 0:
        sys.exit("cost: the build failed")
    if run(["ctest", "--test-dir", build, "-L", "run:cost", "-L", "stage:(compile|test)", "--output-junit", build / "junit.xml"]) != 0:
        sys.exit(f"cost: candidates that have passed do not pass any more. see {build / 'junit.xml'}")
    return cpu_seconds() - before


def bare(work, placed):
    build = work / "build"
    prepared = {}
    for task in sorted({task for task, _ in placed}):
        plan = plans.load(build / "kernelassay" / task / "cpp.plan.json")
        flat = work / f"{task}.inputs"
        flatten_cases(pathlib.Path(plan["task"]["cases"]), flat)
        prepared[task] = (plan, flat)
    loader = work / "loader.c"
    loader.write_text(LOADER)
    run(["gcc", "-O2", "-fPIC", "-c", loader, "-o", work / "loader.o"])
    environment = {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive"}
    before = cpu_seconds()
    for task, source in placed:
        plan, flat = prepared[task]
        flags = [flag for flag in plan["toolchain"]["compile"] if flag != "-shared" and not flag.startswith("-Wl,")]
        include = [f"-I{folder}" for folder in plan["context"]] + ["-include", "kernel.h"]
        failed = (run([*flags, *include, "-c", source, "-o", work / "bare.o"])
                  or run([*flags, work / "bare.o", plan["stub"], work / "loader.o", "-o", work / "bare"])
                  or run([work / "bare", flat], env=environment))
        if failed:
            sys.exit(f"cost: the bare run of {source} failed")
    return cpu_seconds() - before


if __name__ == "__main__":
    sys.exit(main())
