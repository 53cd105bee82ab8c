#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The baseline `torch`: a task's `torch:` line by PyTorch, eagerly, on the processor or on a GPU.

A call is the evaluation of the line, with the tensors that it makes. On the processor inputs are the judge's memory as it is, and results
are copied to the judge after the call. On a GPU calls come in batches, each between two events, and what the judge gets is the line in
float64, evaluated after the batch: an honest result to compare a candidate's with. TF32 is off.
"""
import ast
import math
import struct
import time
import warnings

import assay_framework

import torch
import torch.nn.functional as F

# ONNX's names of those that PyTorch has in all of its versions.
TYPES = {"float": torch.float32, "double": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16, "int8": torch.int8,
         "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8, "bool": torch.bool}

READ_ONLY = 8  # cudaHostRegisterReadOnly


class Float32Literals(ast.NodeTransformer):
    """0.1 becomes the float32 nearest to it, which is what a kernel in float32 uses."""

    def visit_Constant(self, node):
        if isinstance(node.value, float):
            return ast.copy_location(ast.Constant(struct.unpack("<f", struct.pack("<f", node.value))[0]), node)
        return node


def start_of(tensor):
    """Where its memory begins, of which it may be a view."""
    return (tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()).data_ptr()


class Line:
    """The line, and what it is evaluated on. upload(), kernel() and download() are one call on the processor."""

    def __init__(self, specification, worker):
        warnings.simplefilter("ignore")
        torch.set_num_threads(assay_framework.threads())
        self.worker, self.specification = worker, specification
        self.line = self.function(specification["torch"].strip())
        self.described = specification["inputs"] + specification["outputs"]
        self.inputs, self.results = {}, []
        self.populate()
        self.require_kernels()

    def require_kernels(self):
        """PyTorch says that it lacks one of an operator for a type when it is called."""
        try:
            self.evaluate(self.line, {each["name"]: torch.zeros(each["shape"], dtype=TYPES[each["type"]]) for each in self.specification["inputs"]})
        except (RuntimeError, NotImplementedError) as error:
            if "not implemented for" in str(error):
                raise assay_framework.Unsuited(f"PyTorch: {error}") from error
        except Exception:  # of zeros alone, perhaps: a call will tell
            pass

    def function(self, line):
        """Of the inputs, by name."""
        names = ", ".join(each["name"] for each in self.specification["inputs"])
        return eval(compile(f"lambda {names}: ({line})", "torch:", "eval"), {**self.specification["dims"], "torch": torch, "F": F})

    def populate(self):
        assay_framework.populate_heap(self.described)

    def tensor(self, memory, at, size, each):
        shape, dtype = each["shape"], TYPES[each["type"]]
        if size == 0:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(memory, dtype=dtype, count=math.prod(shape), offset=at).reshape(shape)

    @torch.inference_mode()
    def evaluate(self, line, inputs):
        result = line(**inputs)
        mine = {start_of(each) for each in inputs.values()}
        return [self.written(each, mine) for each in (result if isinstance(result, (tuple, list)) else [result])]

    @staticmethod
    def written(result, inputs):
        """A view is no result: a kernel writes its outputs, each element at its place."""
        return result.clone(memory_format=torch.contiguous_format) if start_of(result) in inputs else result.contiguous()

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
            assay_framework.require_shape("the torch line", each["name"], result.shape, each["shape"])
            self.tensor(memory, at, size, each).copy_(result)


class LineOnGpu(Line):
    """Also stow(), batch() and fetch(), on sets of inputs that lie on the device."""

    def require_kernels(self):
        """Those that it lacks on the processor it may have here."""

    def __init__(self, specification, worker):
        super().__init__(specification, worker)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        torch.set_default_device("cuda")  # of what the line makes itself
        exact = specification["torch"].strip()
        if not any(each["type"] == "double" for each in specification["inputs"]):
            exact = ast.unparse(Float32Literals().visit(ast.parse(exact, mode="eval")))
        self.exact = self.function(exact)
        # Twice the cache, whose lines wait to be written when a call begins.
        self.other_data = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size // 4, dtype=torch.int32, device="cuda")
        self.touched = torch.zeros(1, device="cuda")
        self.sets = {}
        self.seconds_to_queue = 0  # a call
        self.pin(worker.inputs, READ_ONLY)
        self.pin(worker.outputs)

    def populate(self):
        """The allocator keeps what is freed, and splits it: no call waits for the driver's memory."""
        numbers = sum(math.prod(each["shape"]) for each in self.described)
        torch.empty(min(64 * numbers + (64 << 20), 16 << 30), dtype=torch.uint8, device="cuda")

    def pin(self, memory, flags=0):
        """Copies from and to it go at the device's speed. A driver that does not pin it makes them by way of its own pages."""
        every = torch.frombuffer(memory, dtype=torch.uint8)
        if int(torch.cuda.cudart().cudaHostRegister(every.data_ptr(), every.numel(), flags)) != 0:
            try:
                self.touch()
            except RuntimeError:
                pass  # the same failure, which PyTorch reports once more

    def upload(self):
        super().upload()
        self.inputs = {name: each.to("cuda") for name, each in self.inputs.items()}
        torch.cuda.synchronize()

    def kernel(self):
        super().kernel()
        torch.cuda.synchronize()

    def touch(self):
        self.touched.zero_()
        torch.cuda.synchronize()

    def download(self):
        wide = {name: each.double() if each.is_floating_point() else each for name, each in self.inputs.items()}
        results = self.evaluate(self.exact, wide)
        # On the device this is fast, and it leaves half of the bytes to copy.
        self.hand_over([result.to(TYPES[each["type"]]) for result, each in zip(results, self.specification["outputs"], strict=True)])
        torch.cuda.synchronize()

    def stow(self, number):
        self.upload()
        self.sets[number] = self.inputs
        self.inputs = {}

    def batch(self, sets, runs_kernel):
        """Nanoseconds of each call, by the device's clock. The device is kept waiting until all calls are queued: a time is that of the kernels,
        not of a Python that comes too late."""
        events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(sets)]
        seconds = min(2 * self.seconds_to_queue * sets, 0.05)
        torch.cuda._sleep(int(seconds * 2e9))  # ticks of the device's clock, which has at most 2 GHz
        begin = time.perf_counter()
        for number, (before, after) in enumerate(events):
            self.other_data.fill_(number)
            before.record()
            if runs_kernel:
                self.evaluate(self.line, self.sets[number])
            after.record()
        if runs_kernel:
            self.seconds_to_queue = (time.perf_counter() - begin) / sets
        torch.cuda.synchronize()
        return [begin.elapsed_time(end) * 1e6 for begin, end in events]

    def fetch(self, number):
        self.inputs = self.sets.pop(number)
        self.download()


def describe():
    return {"name": f"torch {torch.__version__}", "reads": "torch", "types": list(TYPES), "cuda": torch.version.cuda is not None}


def open_line(specification, worker, variant=lambda kind: kind):
    if specification["device"] == "cuda":
        line = variant(LineOnGpu)(specification, worker)
        return line, line
    return variant(Line)(specification, worker), None


if __name__ == "__main__":
    assay_framework.run(describe, open_line)
