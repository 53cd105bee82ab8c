#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The baseline `torch-compile`: a task's `torch:` line, compiled by torch.compile (TorchInductor), on the processor or on a GPU.

The calls that warm a launch up compile it. What the compiler makes is kept beside the task's drawn shapes, and serves all candidates. What an
honest result is on a GPU the eager line says, in float64.
"""
import os

cache = os.environ.get("ASSAY_CACHE")
if cache:  # not of --describe
    os.environ |= {"HOME": cache, "TMPDIR": cache, "LOGNAME": "assay", "TORCHINDUCTOR_CACHE_DIR": f"{cache}/inductor",
                   "TRITON_CACHE_DIR": f"{cache}/triton", "TORCHINDUCTOR_COMPILE_THREADS": "1"}  # which else starts a pool of processes

import torch

import assay_baseline
import torch_baseline


def compiled(kind):
    class Compiled(kind):
        def __init__(self, specification, worker):
            super().__init__(specification, worker)
            self.line = torch.compile(self.line, dynamic=False)

    return Compiled


def open_line(specification, worker):
    return torch_baseline.open_line(specification, worker, compiled)


def describe():
    if not hasattr(torch, "compile"):
        raise SystemExit(f"PyTorch {torch.__version__} has no torch.compile, which came with 2.0")
    told = torch_baseline.describe()
    return told | {"name": told["name"].replace("torch ", "torch-compile ", 1), "compiles": True}


if __name__ == "__main__":
    assay_baseline.run(describe, open_line)
