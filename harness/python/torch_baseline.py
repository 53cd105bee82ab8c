#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The baseline `torch`: a box that evaluates a task's `torch:` line by PyTorch, eagerly, on the processor.

usage: torch_baseline.py SPECIFICATION     JSON: torch, dims, inputs and outputs, each with name, type and shape

Started by the judge alone. A call is the evaluation of the line, with the tensors that it makes. Inputs are the judge's memory as it
is; results are copied to the judge after the call, as outputs of a device are.
"""
import ctypes
import json
import math
import os
import sys
import warnings

import assay_wire


def populate_heap(size):
    """Faults in so many bytes, which the allocator keeps: what a call allocates first is no work of the operator's."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    block = libc.malloc(size)
    if block:
        ctypes.memset(block, 0, size)
        libc.free(block)


def load(specification, worker):
    import torch
    import torch.nn.functional as F
    warnings.simplefilter("ignore")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    types = {"float": torch.float32, "double": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16, "int8": torch.int8,
             "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8, "bool": torch.bool}
    line = compile(specification["torch"].strip(), "torch:", "eval")
    described = specification["inputs"] + specification["outputs"]
    numbers = sum(math.prod(each["shape"]) for each in described)
    populate_heap(min(64 * numbers + (64 << 20), 2 << 30))  # C libraries before 2.38 place aligned blocks beside those just freed
    names = {**specification["dims"], "torch": torch, "F": F}
    results = []

    def tensor(memory, at, size, each):
        shape = each["shape"]
        if size == 0:
            return torch.empty(shape, dtype=types[each["type"]])
        return torch.frombuffer(memory, dtype=types[each["type"]], count=math.prod(shape), offset=at).reshape(shape)

    def upload():
        results.clear()  # their memory serves the next call
        for each, (memory, at, size, is_output) in zip(described, worker.buffers()):
            if not is_output:
                names[each["name"]] = tensor(memory, at, size, each)

    def kernel():
        with torch.inference_mode():
            result = eval(line, names)
        results.extend(result if isinstance(result, (tuple, list)) else [result])

    def download():
        outputs = worker.buffers()[len(specification["inputs"]):]
        for result, each, (memory, at, size, _) in zip(results, specification["outputs"], outputs, strict=True):
            if list(result.shape) != each["shape"]:
                raise ValueError(f"the torch line gives {each['name']} the shape {list(result.shape)}, the task {each['shape']}")
            tensor(memory, at, size, each).copy_(result)

    return upload, kernel, download


def main():
    worker = assay_wire.Worker()
    try:
        parts = load(json.loads(sys.argv[1]), worker)
    except Exception as error:
        worker.fail_to_load(f"torch baseline: {type(error).__name__}: {error}")
    worker.arrive()
    worker.serve(*parts)


if __name__ == "__main__":
    main()
