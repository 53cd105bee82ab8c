# SPDX-License-Identifier: Apache-2.0
"""What baselines in Python have in common. A baseline `<library>` or `<library>-<way>` is a program <library>_<way>_baseline.py beside this
file, which ends in run().

usage: <program> --describe         what it is, as JSON: name, for records; reads: `torch`, the task's line, or `model`, its ONNX model;
                                    types: ONNX's names of those that it has; cuda: whether it is built for NVIDIA GPUs; compiles: whether
                                    it starts compilers; readable: files and folders that its process needs, beside the system's
       <program> PIECE...           a box, started by the judge, that may write to the folder ASSAY_FOLDER. The pieces together are JSON:
                                    dims, inputs and outputs, each with name, type and shape; torch, or model in hexadecimal digits;
                                    device: cpu or cuda
"""
import ctypes
import json
import math
import os
import sys

import assay_wire


class Unsuited(Exception):
    """The library has no implementation of what this task needs: another baseline takes its place."""


def readable_paths():
    """Of this interpreter, and of what it imports."""
    own = {sys.executable, sys.prefix, sys.base_prefix, *filter(None, sys.path)} - {"/usr"}  # of which a box sees what programs need
    return sorted(own | {"/proc/cpuinfo", "/sys/devices/system"})  # libraries count processors


def threads():
    return int(os.environ.get("OMP_NUM_THREADS", "1"))


def populate_heap(tensors):
    """Faults in what the results of a call on these tensors may need, which the allocator keeps: what a call allocates first is no work of
    the operator's. C libraries before 2.38 place aligned blocks beside those just freed, so it is much."""
    size = min(64 * sum(math.prod(each["shape"]) for each in tensors) + (64 << 20), 2 << 30)
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    block = libc.malloc(size)
    if block:
        ctypes.memset(block, 0, size)
        libc.free(block)


def require_shape(what, name, got, wanted):
    if list(got) != wanted:
        raise ValueError(f"{what} gives {name} the shape {list(got)}, the task {wanted}")


def say_why(kind, error, _):
    if kind is Unsuited:
        worker.fail_to_load(str(error), assay_wire.UNSUITED)
    worker.fail_to_load(f"{os.path.basename(sys.argv[0])}: {kind.__name__}: {error}")


# The judge hears of all that fails from here on, so a baseline imports its library after this module.
worker = None if sys.argv[1:] == ["--describe"] else assay_wire.Worker()
if worker is not None:
    sys.excepthook = say_why
    os.environ |= {"HOME": os.environ["ASSAY_FOLDER"], "TMPDIR": os.environ["ASSAY_FOLDER"], "LOGNAME": "assay"}


def run(describe, open_calls):
    """describe() gives what differs from the defaults here; open_calls(specification, worker) the calls, and the batches or None, for Worker.serve()."""
    if worker is None:
        print(json.dumps({"cuda": False, "compiles": False, "readable": readable_paths()} | describe()))
        return
    calls, batches = open_calls(json.loads("".join(sys.argv[1:])), worker)
    worker.arrive()
    worker.serve(calls, batches)
