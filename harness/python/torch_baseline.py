#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The baseline `torch`: a box that evaluates a task's `torch:` line by PyTorch, eagerly, on the processor or on a GPU.

usage: torch_baseline.py SPECIFICATION     JSON: torch, dims, inputs and outputs, each with name, type and shape; device: cpu or cuda

Started by the judge alone. A call is the evaluation of the line, with the tensors that it makes. On the processor inputs are the judge's
memory as it is, and results are copied to the judge after the call. On a GPU calls come in batches, each between two events, and what the
judge gets is the line in float64, evaluated after the batch: an honest result to compare a candidate's with. TF32 is off.
"""
import ast
import ctypes
import json
import math
import os
import struct
import sys
import time
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


class Float32Literals(ast.NodeTransformer):
    """0.1 becomes the float32 nearest to it, which is what a kernel in float32 uses."""

    def visit_Constant(self, node):
        if isinstance(node.value, float):
            return ast.copy_location(ast.Constant(struct.unpack("<f", struct.pack("<f", node.value))[0]), node)
        return node


class Line:
    """The line, and what it is evaluated on. upload(), kernel() and download() are one call on the processor."""

    def __init__(self, specification, worker):
        import torch
        import torch.nn.functional as F
        warnings.simplefilter("ignore")
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        self.torch, self.worker, self.specification = torch, worker, specification
        self.types = {"float": torch.float32, "double": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16, "int8": torch.int8,
                      "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8, "bool": torch.bool}
        self.line = compile(specification["torch"].strip(), "torch:", "eval")
        self.described = specification["inputs"] + specification["outputs"]
        self.constants = {**specification["dims"], "torch": torch, "F": F}
        self.inputs, self.results = {}, []
        self.populate(sum(math.prod(each["shape"]) for each in self.described))

    def populate(self, numbers):
        populate_heap(min(64 * numbers + (64 << 20), 2 << 30))  # C libraries before 2.38 place aligned blocks beside those just freed

    def tensor(self, memory, at, size, each):
        shape, dtype = each["shape"], self.types[each["type"]]
        if size == 0:
            return self.torch.empty(shape, dtype=dtype)
        return self.torch.frombuffer(memory, dtype=dtype, count=math.prod(shape), offset=at).reshape(shape)

    def evaluate(self, line, inputs):
        with self.torch.inference_mode():
            result = eval(line, {**self.constants, **inputs})
        return list(result) if isinstance(result, (tuple, list)) else [result]

    def upload(self):
        self.results.clear()  # their memory serves the next call
        for each, (memory, at, size, is_output) in zip(self.described, self.worker.buffers()):
            if not is_output:
                self.inputs[each["name"]] = self.tensor(memory, at, size, each)

    def kernel(self):
        self.results = self.evaluate(self.line, self.inputs)

    def download(self):
        self.hand_over(self.results)

    def hand_over(self, results):
        outputs = self.worker.buffers()[len(self.specification["inputs"]):]
        for result, each, (memory, at, size, _) in zip(results, self.specification["outputs"], outputs, strict=True):
            if list(result.shape) != each["shape"]:
                raise ValueError(f"the torch line gives {each['name']} the shape {list(result.shape)}, the task {each['shape']}")
            self.tensor(memory, at, size, each).copy_(result)


class LineOnGpu(Line):
    """Also stow(), batch() and fetch(), on sets of inputs that lie on the device."""

    def __init__(self, specification, worker):
        super().__init__(specification, worker)
        torch = self.torch
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        torch.set_default_device("cuda")  # of what the line makes itself
        exact = specification["torch"].strip()
        if not any(each["type"] == "double" for each in specification["inputs"]):
            exact = ast.fix_missing_locations(Float32Literals().visit(ast.parse(exact, mode="eval")))
        self.exact = compile(exact, "torch:", "eval")
        # Twice the cache, whose lines wait to be written when a call begins.
        self.other_data = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size // 4, dtype=torch.int32, device="cuda")
        self.sets = {}
        self.seconds_to_queue = 0  # a call

    def populate(self, numbers):
        """The allocator keeps what is freed, and splits it: no call waits for the driver's memory."""
        self.torch.empty(min(64 * numbers + (64 << 20), 16 << 30), dtype=self.torch.uint8, device="cuda")

    def upload(self):
        super().upload()
        self.inputs = {name: each.to("cuda") for name, each in self.inputs.items()}
        self.torch.cuda.synchronize()

    def kernel(self):
        super().kernel()
        self.torch.cuda.synchronize()

    def download(self):
        wide = {name: each.double() if each.is_floating_point() else each for name, each in self.inputs.items()}
        self.hand_over(self.evaluate(self.exact, wide))
        self.torch.cuda.synchronize()

    def stow(self, number):
        self.upload()
        self.sets[number] = self.inputs
        self.inputs = {}

    def batch(self, sets, runs_kernel):
        """Nanoseconds of each call, by the device's clock. The device is kept waiting until all calls are queued: a time is that of the kernels,
        not of a Python that comes too late."""
        events = [[self.torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(sets)]
        seconds = min(2 * self.seconds_to_queue * sets, 0.05)
        self.torch.cuda._sleep(int(seconds * 2e9))  # ticks of the device's clock, which has at most 2 GHz
        begin = time.perf_counter()
        for number, (before, after) in enumerate(events):
            self.other_data.fill_(number)
            before.record()
            if runs_kernel:
                self.evaluate(self.line, self.sets[number])
            after.record()
        if runs_kernel:
            self.seconds_to_queue = (time.perf_counter() - begin) / sets
        self.torch.cuda.synchronize()
        return [begin.elapsed_time(end) * 1e6 for begin, end in events]

    def fetch(self, number):
        self.inputs = self.sets.pop(number)
        self.download()


def main():
    worker = assay_wire.Worker()
    try:
        specification = json.loads(sys.argv[1])
        on_gpu = specification["device"] == "cuda"
        line = (LineOnGpu if on_gpu else Line)(specification, worker)
    except Exception as error:
        worker.fail_to_load(f"torch baseline: {type(error).__name__}: {error}")
    worker.arrive()
    worker.serve(line, line if on_gpu else None)


if __name__ == "__main__":
    main()
