#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The baseline `onnxruntime`: a task's model by ONNX Runtime on the processor, with its own optimisations of the graph.

A call is one run of the session on the judge's memory as it is; results are copied to the judge after it.
"""
import ctypes
import math

import assay_framework

import numpy
import onnxruntime

# ONNX's name -> TensorProto.DataType, and a type of NumPy that has as many bytes.
TYPES = {"float": (1, numpy.float32), "uint8": (2, numpy.uint8), "int8": (3, numpy.int8), "uint16": (4, numpy.uint16), "int16": (5, numpy.int16),
         "int32": (6, numpy.int32), "int64": (7, numpy.int64), "bool": (9, numpy.bool_), "float16": (10, numpy.float16),
         "double": (11, numpy.float64), "uint32": (12, numpy.uint32), "uint64": (13, numpy.uint64), "bfloat16": (16, numpy.uint16),
         "float8e4m3fn": (17, numpy.uint8), "float8e5m2": (19, numpy.uint8)}
SHORT = {"bfloat16", "float8e4m3fn", "float8e5m2"}  # which NumPy lacks


class Session:
    """upload(), kernel() and download() are one call."""

    def __init__(self, specification, worker):
        self.worker, self.specification = worker, specification
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = assay_framework.threads(), 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a call is over when its threads stand still
        options.log_severity_level = 4
        try:
            self.session = onnxruntime.InferenceSession(bytes.fromhex(specification["model"]), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # one type for each of a dozen reasons; the model itself has passed our own checks
            raise assay_framework.Unsuited(f"ONNX Runtime: {error}") from error
        self.names = [each["name"] for each in specification["outputs"]]
        self.inputs, self.results = {}, []
        assay_framework.populate_heap(specification["inputs"] + specification["outputs"])

    def upload(self):
        self.results = []
        for each, (memory, at, _, is_output) in zip(self.specification["inputs"] + self.specification["outputs"], self.worker.buffers()):
            if not is_output:
                self.inputs[each["name"]] = self.value(memory, at, each)

    @staticmethod
    def value(memory, at, each):
        number, dtype = TYPES[each["type"]]
        count = math.prod(each["shape"])
        array = (numpy.frombuffer(memory, dtype, count, at) if count else numpy.empty(0, dtype)).reshape(each["shape"])
        if each["type"] in SHORT:
            return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array, number)
        return onnxruntime.OrtValue.ortvalue_from_numpy(array)

    def kernel(self):
        self.results = self.session.run_with_ort_values(self.names, self.inputs)

    def download(self):
        outputs = self.worker.buffers()[len(self.specification["inputs"]):]
        for result, each, (memory, at, size, _) in zip(self.results, self.specification["outputs"], outputs, strict=True):
            assay_framework.require_shape("ONNX Runtime", each["name"], result.shape(), each["shape"])
            if size:
                ctypes.memmove(ctypes.addressof(ctypes.c_char.from_buffer(memory, at)), result.data_ptr(), size)


def describe():
    return {"name": f"onnxruntime {onnxruntime.__version__}", "reads": "model", "types": list(TYPES)}


if __name__ == "__main__":
    assay_framework.run(describe, lambda specification, worker: (Session(specification, worker), None))
