#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges references in CUDA the way KernelBench judges candidates, for comparison: PyTorch compiles the kernels with load_inline, five
trials on random inputs are compared with the line of PyTorch, and 100 calls are timed between events, each after a fill that empties the
cache. Needs PyTorch with CUDA, nvcc and ninja.

usage: load_inline.py [--at-once N] TASK...    prints the seconds of each, from the start of its process to its end, and of all
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Of each task: its reference, the inputs' shapes, the line of PyTorch, and what launches the reference's kernels.
TASKS = {
    "relu": ("activation/relu.cu", [(1024, 16384)], "torch.relu(x)", """
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  relu<<<(x.numel() + 1023) / 1024, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}"""),
    "softmax": ("activation/softmax.cu", [(4096, 4096)], "torch.softmax(x, 1)", """
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  softmax<<<x.size(0), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  return y;
}"""),
    "layer_norm": ("normalization/layer_norm.cu", [(64, 64, 64, 64), (64, 64, 64), (64, 64, 64)], "F.layer_norm(x, x.shape[1:], scale, bias)", """
torch::Tensor forward(torch::Tensor x, torch::Tensor scale, torch::Tensor bias) {
  auto y = torch::empty_like(x);
  const long long length = x.numel() / x.size(0), pieces = (length + 8191) / 8192;
  auto part = torch::empty({x.size(0), pieces, 2}, x.options().dtype(torch::kFloat64));
  auto* moments = reinterpret_cast<Moments*>(part.data_ptr<double>());
  add_moments<<<dim3(pieces, x.size(0)), 256>>>(x.data_ptr<float>(), moments, length);
  normalise<<<dim3((length + 1023) / 1024, x.size(0)), 256>>>(x.data_ptr<float>(), scale.data_ptr<float>(), bias.data_ptr<float>(), moments,
                                                              y.data_ptr<float>(), length, static_cast<int>(pieces));
  return y;
}"""),
}


def judge(task):
    import torch
    import torch.nn.functional as F
    from torch.utils.cpp_extension import load_inline
    file, shapes, line, launcher = TASKS[task]
    declaration = re.search(r"torch::Tensor forward\([^)]*\)", launcher).group() + ";"
    with tempfile.TemporaryDirectory() as folder:
        module = load_inline(name=f"judged_{task}", cpp_sources=[declaration], cuda_sources=[(ROOT / "references" / file).read_text() + launcher],
                             functions=["forward"], build_directory=folder)
        names = ["x", "scale", "bias"][:len(shapes)]
        for seed in range(5):
            torch.manual_seed(seed)
            inputs = [torch.randn(shape, device="cuda") for shape in shapes]
            wanted = eval(line, {"torch": torch, "F": F, **dict(zip(names, inputs))})
            if not torch.allclose(module.forward(*inputs), wanted, atol=1e-4, rtol=1e-4):
                sys.exit(f"{task}: trial {seed} differs from the line of PyTorch")
        other_data = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        times = []
        for trial in range(3 + 100):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            other_data.fill_(trial % 256)
            begin.record()
            module.forward(*inputs)
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end))
        print(f"{task}: {1000 * sum(times[3:]) / 100:.1f} us a call")


def measured(task):
    begin = time.perf_counter()
    subprocess.run([sys.executable, __file__, "--here", task], check=True)
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("tasks", nargs="+", choices=TASKS)
    parser.add_argument("--at-once", type=int, default=1, help="processes side by side, on one GPU")
    parser.add_argument("--here", action="store_true", help="in this process, without its seconds")
    arguments = parser.parse_args()
    if arguments.here:
        for task in arguments.tasks:
            judge(task)
        return
    begin = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.at_once) as pool:
        for task, seconds in zip(arguments.tasks, pool.map(measured, arguments.tasks)):
            print(f"{task}: {seconds:.1f} s")
    print(f"{(time.perf_counter() - begin) / len(arguments.tasks):.1f} s a kernel, {arguments.at_once} at once")


if __name__ == "__main__":
    main()
