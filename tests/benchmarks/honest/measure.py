# SPDX-License-Identifier: Apache-2.0
"""How often an honest kernel is rejected: every task's cases drawn afresh many times, each draw answered by float32
evaluations in two summation orders that the bounds have not seen (assay admit) and by the task's C++ reference in its box (assay-judge cases, assay-judge test).

usage: measure.py <build folder> <draws of each task> [<processes>]; prints a line per rejection and the totals; exit 1 where there is any.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import plan as plans  # noqa: E402


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def admit(assay, task_yaml, draws):
    done = run(assay, "admit", task_yaml, "--runs", draws)
    refused = re.findall(r"honest kernel rejected: (.*)", done.stdout)
    if "draws of honest kernels" not in done.stdout:
        refused.append(f"admit did not finish: {done.stderr.strip()}")
    return refused


def test_reference(judge, plan_file, draws):
    """The reference on `draws` seeds; a copy of the plan keeps its cases apart from those of the build."""
    plan = plans.load(plan_file)
    prefix = plan_file.parent / "reference" / "000.cpp"
    rejected = []
    with tempfile.TemporaryDirectory() as folder:
        plan["task"]["cases"] = folder + "/cases.bin"
        own = pathlib.Path(folder) / "plan.json"
        own.write_text(json.dumps(plan))
        for _ in range(draws):
            drawn = run(judge, "cases", "--plan", own)
            tested = run(judge, "test", "--plan", own, "--run", "reference", "--sample", "000", "--prefix", prefix)
            record = tested.stdout.partition("\n")[0].removeprefix("assay: ")
            verdict = json.loads(record)["verdict"] if record.startswith("{") else "no record"
            if verdict != "PASS":
                rejected.append(f"{plan['task']['task']}: {verdict}: {record or drawn.stderr}")
    return rejected


def main():
    build, draws = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    processes = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    assay = build / "bin" / "assay"
    files = [p for p in sorted(build.glob("kernelassay/*/cpp.plan.json")) if (p.parent / "reference" / "000.cpp.so").exists()]
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        evaluated = [pool.submit(admit, assay, plans.load(p)["task"]["task_yaml"], draws) for p in files]
        tested = [pool.submit(test_reference, build / "bin/assay-judge", p, draws) for p in files]
        rejections = [line for job in evaluated + tested for line in job.result()]
    for line in rejections:
        print("rejected:", line)
    print(f"{len(files)} tasks: {len(files) * draws} draws, each evaluated in two orders, and {len(files) * draws} runs of references: "
          f"{len(rejections)} rejected")
    return 1 if rejections or not files else 0


sys.exit(main())
