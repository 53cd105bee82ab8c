#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The baseline `torch-compile`: a task's `torch:` line, compiled by torch.compile (TorchInductor), on the processor or on a GPU.

The calls that warm a launch up compile it. What the compiler makes is kept, and serves all candidates of the task. What an honest result is
on a GPU the eager line says, in float64.
"""
import ctypes
import os

import assay_framework

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # more are a pool of processes

import torch
import torch_baseline


def driver_folder():
    """Where libcuda.so.1 lies: Triton asks ldconfig, which a box lacks."""
    class Symbol(ctypes.Structure):
        _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]

    found = Symbol()
    ctypes.CDLL(None).dladdr(ctypes.cast(ctypes.CDLL("libcuda.so.1").cuInit, ctypes.c_void_p), ctypes.byref(found))
    return os.path.dirname(found.file.decode())


def compiled(kind):
    class Compiled(kind):
        def __init__(self, specification, worker):
            super().__init__(specification, worker)
            self.line = torch.compile(self.line, dynamic=False)

    return Compiled


def open_line(specification, worker):
    if specification["device"] == "cuda":
        os.environ.setdefault("TRITON_LIBCUDA_PATH", driver_folder())
    return torch_baseline.open_line(specification, worker, compiled)


def describe():
    if not hasattr(torch, "compile"):
        raise SystemExit(f"PyTorch {torch.__version__} has no torch.compile, which came with 2.0")
    told = torch_baseline.describe()
    return told | {"name": told["name"].replace("torch ", "torch-compile ", 1), "compiles": True,
                   "readable": [*assay_framework.readable_paths(), "/usr/include"]}


if __name__ == "__main__":
    assay_framework.run(describe, open_line)
