#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A task's `torch:` line says the same as its `model:`.

usage: compare_torch.py ASSAY TASK_YAML     draws the cases first
       compare_torch.py --folder FOLDER     what `assay oracle` wrote; `assay admit` calls it so

ASSAY draws the inputs of every case and writes the float64 oracle's outputs; the line is evaluated by PyTorch in
float64 on the same inputs. Integers and booleans must be equal, NaN and infinities in the same places, and a real
within TOLERANCE times its error scale (the sum of magnitudes that rounding errors of float arithmetic grow with).
Both sides round to 1.1e-16; sums in another order were seen to differ by up to 1e-15 of the scale. 1e-12 leaves
room for a thousand times that, and still shows an epsilon of 1e-5 that is off by a part in ten thousand.

The baseline `torch` evaluates the line in the inputs' own types. So it is evaluated in them once more: no two types may meet that PyTorch
does not mix, and the shapes are the same. (bfloat16 stands for float16: on processors PyTorch lacks some of its products.)

Exit codes: 0 the two agree, 1 they do not, 2 bad input, 3 no PyTorch, or one without a type of the task's.
"""
import ast
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    print(f"PyTorch cannot be imported: {error}")
    sys.exit(3)

TOLERANCE = 1e-12
NO_LINE = 77  # exit status
# Those of 16 and 32 bits without a sign, which PyTorch does not have, as what holds their numbers.
WIDER = {"<u2": (torch.int16, torch.int32), "<u4": (torch.int32, torch.int64)}
TYPES = {"<f2": torch.float16, "<f4": torch.float32, "<f8": torch.float64,
         "|i1": torch.int8, "<i2": torch.int16, "<i4": torch.int32, "<i8": torch.int64, "|u1": torch.uint8, "|b1": torch.bool}

FLOAT8 = {"float8e4m3fn": getattr(torch, "float8_e4m3fn", None), "float8e5m2": getattr(torch, "float8_e5m2", None)}


def read_npy(path, onnx_type=None):
    """The tensor of a .npy file of format 1.0; NumPy may be missing where PyTorch is, and has no bfloat16."""
    raw = bytearray(path.read_bytes())
    start = 10 + struct.unpack("<H", raw[8:10])[0]
    header = ast.literal_eval(raw[10:start].decode())
    if header["descr"] in WIDER and onnx_type != "bfloat16":
        narrow, wide = WIDER[header["descr"]]
        bits = torch.frombuffer(raw, dtype=narrow, offset=start).reshape(header["shape"]).to(wide)
        return bits & (2 ** (8 * bits.element_size() // 2) - 1)
    if onnx_type in FLOAT8:
        return torch.frombuffer(raw, dtype=torch.uint8, offset=start).view(FLOAT8[onnx_type]).reshape(header["shape"])
    dtype = torch.bfloat16 if onnx_type == "bfloat16" else TYPES[header["descr"]]
    return torch.frombuffer(raw, dtype=dtype, offset=start).reshape(header["shape"])


class Float32Literals(ast.NodeTransformer):
    """0.1 becomes the float32 nearest to it: that is what ONNX stores, and what a float32 kernel would use."""

    def visit_Constant(self, node):
        if isinstance(node.value, float):
            node = ast.copy_location(ast.Constant(struct.unpack("<f", struct.pack("<f", node.value))[0]), node)
        return node


def evaluate(line, inputs, dims):
    """The results of `line`, a list of tensors, with the reals of `inputs` (by name) taken in float64."""
    tree = ast.parse(line.strip(), mode="eval")
    if not any(x.dtype == torch.float64 for x in inputs.values()):
        tree = ast.fix_missing_locations(Float32Literals().visit(tree))
    wide = {name: x.double() if x.is_floating_point() else x for name, x in inputs.items()}
    return run(compile(tree, "torch:", "eval"), wide, dims)


def run(code, inputs, dims):
    """The results of `code`, a list of tensors."""
    result = eval(code, {**dims, "torch": torch, "F": F, **inputs})
    return list(result) if isinstance(result, (tuple, list)) else [result]


def trouble_in_own_types(line, inputs, dims, shapes):
    """Why the line, whose results have these shapes in float64, cannot be a baseline; None where it can."""
    own = {name: x.to(torch.bfloat16) if x.dtype == torch.float16 else x for name, x in inputs.items()}
    try:
        got = [list(x.shape) for x in run(compile(line.strip(), "torch:", "eval"), own, dims)]
    except Exception as error:  # whatever the line raises is the line's fault
        return f"in the inputs' own types the torch line raises {type(error).__name__}: {error}"
    return None if got == shapes else f"in the inputs' own types the torch line gives the shapes {got}, in float64 {shapes}"


def kind(tensor):
    return "bool" if tensor.dtype == torch.bool else str(tensor.dtype) if tensor.is_floating_point() else "integer"


def disagreement(expected, scale, got):
    """Why `got` is not `expected`, or None. `scale`: the reals' error scale, None for others."""
    if kind(got) != kind(expected) or got.shape != expected.shape:
        return (f"the model gives {kind(expected)} of shape {list(expected.shape)}, "
                f"the torch line {kind(got)} of shape {list(got.shape)}")
    same = got == expected
    if scale is not None:
        same |= got.isnan() & expected.isnan()
        same |= expected.isfinite() & ((got - expected).abs() <= TOLERANCE * scale)
        same |= expected.isfinite() & scale.isinf()  # nothing is known of it, so the judge accepts anything
    if same.all():
        return None
    where = (~same).nonzero()
    first = tuple(where[0].tolist())
    allowed = "" if scale is None else f", of error scale {scale[first].item():.3g}"
    return (f"at {list(first)} the model gives {expected[first].item()!r}, the torch line {got[first].item()!r}"
            f"{allowed}; {len(where)} of {same.numel()} elements differ")


def check_case(folder, case, line):
    """What is wrong with one case, as lines of text, and how many elements were compared."""
    inputs = {x["name"]: read_npy(folder / f"{x['name']}.npy", x["type"]) for x in case["inputs"]}
    try:
        results = evaluate(line, inputs, case["dims"])
    except Exception as error:  # whatever the line raises is the line's fault
        return [f"case {case['name']}: the torch line raises {type(error).__name__}: {error}"], 0
    if len(results) != len(case["outputs"]):
        return [f"case {case['name']}: the model has {len(case['outputs'])} outputs, the torch line {len(results)}"], 0
    trouble = trouble_in_own_types(line, inputs, case["dims"], [list(x.shape) for x in results])
    wrong, count = [f"case {case['name']}: {trouble}"] if trouble else [], 0
    for output, got in zip(case["outputs"], results):
        # Of a model that rounds after each operator: without these roundings.
        of = folder / "unrounded" if (folder / "unrounded").is_dir() else folder
        expected = read_npy(of / f"{output['name']}.npy")
        scale = read_npy(of / f"{output['name']}.scale.npy") if expected.is_floating_point() else None
        count += expected.numel()
        why = disagreement(expected, scale, got)
        if why:
            wrong.append(f"case {case['name']} {case['dims']}, output {output['name']}: {why}")
    return wrong, count


def lacks_float8(folder):
    """Whether the task has tensors or a line of 8-bit reals, and this PyTorch (before 2.1) has none."""
    index = json.loads((folder / "index.json").read_text())
    needed = "float8" in index["torch"] or any(x["type"] in FLOAT8 for case in index["cases"] for x in case["inputs"])
    if needed and None in FLOAT8.values():
        print(f"torch.{index['task']}: not compared: PyTorch {torch.__version__} has no reals of 8 bits")
        return True
    return False


def check(folder):
    """Compares all that `assay oracle` wrote to `folder`; prints what it finds and returns whether the two agree."""
    index = json.loads((folder / "index.json").read_text())
    wrong, count = [], 0
    for case in index["cases"]:
        found, compared = check_case(folder / case["name"], case, index["torch"])
        wrong += found
        count += compared
    print(f"torch.{index['task']}: {len(index['cases'])} cases, {count} elements, {len(wrong)} disagreements, "
          f"seed {index['seed']}, PyTorch {torch.__version__}")
    if wrong:
        print("\n".join(wrong))
        print(f"model:\n{index['model']}torch:\n{index['torch'].strip()}")
        print(f"do: make the two texts in task.yaml agree. replay with ASSAY_SEED={index['seed']}")
    return not wrong


def main(assay, task_yaml):
    torch.set_num_threads(1)  # CTest runs tests side by side
    with tempfile.TemporaryDirectory() as folder:
        written = subprocess.run([assay, "oracle", task_yaml, "--out", folder], stdout=subprocess.DEVNULL)
        if written.returncode != 0:
            return 2
        if not json.loads((pathlib.Path(folder) / "index.json").read_text())["torch"]:
            print("the task has no torch line")
            return NO_LINE
        if lacks_float8(pathlib.Path(folder)):
            return NO_LINE
        return 0 if check(pathlib.Path(folder)) else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"{__doc__}\ncompare_torch.py: got {len(sys.argv) - 1} arguments. do: give ASSAY and TASK_YAML, or --folder and FOLDER")
    if sys.argv[1] == "--folder":
        torch.set_num_threads(1)
        if lacks_float8(pathlib.Path(sys.argv[2])):
            sys.exit(3)
        sys.exit(0 if check(pathlib.Path(sys.argv[2])) else 1)
    sys.exit(main(*sys.argv[1:]))
