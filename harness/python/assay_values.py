# SPDX-License-Identifier: Apache-2.0
"""Values of Python as data, between two processes of which neither trusts the other: JSON, and bytes beside it. Python's own values, NumPy's
arrays and PyTorch's tensors are copied, with their types, shapes, strides and devices; nothing that is received is ever run.

A message is two numbers of 8 bytes, little-endian, the sizes of JSON and bytes, and then these. A value is a list that begins with its kind.
"""
import json
import struct
import sys

MOST = 4 << 30  # bytes of a message
DEEPEST = 100  # levels of a value


class Sent:
    """Encodes values into JSON and bytes beside it. What can be changed in its place is listed, so that either side can speak of it again."""

    def __init__(self, changeable=()):
        self.changeable = list(changeable)
        self.forms = [None] * len(self.changeable)
        self.bytes = bytearray()

    def place(self, data):
        self.bytes += data
        return [len(self.bytes) - len(data), len(data)]

    def known(self, value):
        return next((i for i, each in enumerate(self.changeable) if each is value), None)

    def encode(self, value, depth=0, whole=False):
        """`whole`: what it holds, though it is known."""
        if depth > DEEPEST:
            raise ValueError("a value of a hundred levels")
        if value is None or value is Ellipsis or type(value) in (bool, str):
            return ["..."] if value is Ellipsis else ["v", value]
        if type(value) is int:
            return ["i", hex(value)]
        if type(value) is float:
            return ["f", value.hex()]
        if type(value) is complex:
            return ["c", value.real.hex(), value.imag.hex()]
        if type(value) is bytes:
            return ["b", self.place(value)]
        if type(value) is tuple:
            return ["t", [self.encode(each, depth + 1) for each in value]]
        if type(value) in (slice, range):
            return [type(value).__name__, [self.encode(each) for each in (value.start, value.stop, value.step)]]
        if type(value) is frozenset:
            return ["fs", [self.encode(each, depth + 1) for each in value]]
        form = self.form_of(value)
        if form is None:
            return self.encode_other(value)
        at = self.known(value)
        if at is not None and not whole:
            return ["m", at]
        if at is None:
            at = len(self.changeable)
            self.changeable.append(value)
            self.forms.append(None)
        self.forms[at] = form(value, depth)
        return self.forms[at]

    def form_of(self, value):
        forms = {list: self.of_list, dict: self.of_dict, set: self.of_set, bytearray: self.of_bytes}
        if type(value) in forms:
            return forms[type(value)]
        numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
        if numpy and isinstance(value, numpy.ndarray):
            return self.of_array
        if torch and isinstance(value, torch.Tensor):
            return self.of_tensor
        return None

    def of_list(self, value, depth):
        return ["l", [self.encode(each, depth + 1) for each in value]]

    def of_dict(self, value, depth):
        return ["d", [[self.encode(key, depth + 1), self.encode(each, depth + 1)] for key, each in value.items()]]

    def of_set(self, value, depth):
        return ["s", [self.encode(each, depth + 1) for each in value]]

    def of_bytes(self, value, _):
        return ["ba", self.place(bytes(value))]

    def of_array(self, value, _):
        if value.dtype.kind not in "biufcSUMm":
            raise TypeError(f"an array of {value.dtype}")
        return ["n", value.dtype.str, list(value.shape), self.place(value.tobytes())]

    def of_tensor(self, value, _):
        import torch  # of which this is a tensor
        plain = value.detach()
        if plain.layout != torch.strided:
            raise TypeError(f"a tensor of layout {plain.layout}")
        strides = list(plain.stride())
        if any(stride == 0 and size > 1 for stride, size in zip(strides, plain.shape)):
            strides = None
        data = plain.resolve_conj().resolve_neg().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""
        return ["T", str(plain.dtype), list(plain.shape), strides, str(plain.device), self.place(data)]

    def encode_other(self, value):
        numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
        if numpy and isinstance(value, numpy.generic) and value.dtype.kind in "biufcSUMm":
            return ["ns", value.dtype.str, self.place(value.tobytes())]
        if numpy and isinstance(value, numpy.dtype) and value.kind in "biufcSUMm":
            return ["nd", value.str]
        if torch and isinstance(value, (torch.dtype, torch.device)):
            return ["td" if isinstance(value, torch.dtype) else "tv", str(value)]
        return self.of_stranger(value)

    def of_stranger(self, value):
        raise TypeError(f"{type(value).__name__}: a value of this type cannot be handed between the test and the solution")


class Received:
    """Decodes them. `data` is a bytearray, of which each value gets its own copy."""

    def __init__(self, data, changeable=()):
        self.bytes = data
        self.changeable = list(changeable)

    def part(self, place):
        at, size = place
        if not 0 <= at <= at + size <= len(self.bytes):
            raise ValueError("a value outside its message")
        return self.bytes[at:at + size]

    def decode(self, value, whole=False):
        """`whole`: as encode() has it."""
        kind, *rest = value
        if kind in ("l", "d", "s", "ba", "n", "T"):
            made = self.begin(kind, *rest)
            if not whole:
                self.changeable.append(made)
            self.fill(kind, made, *rest)
            return made
        return getattr(self, f"of_{'dots' if kind == '...' else kind}")(*rest)

    def begin(self, kind, *rest):
        if kind == "n":
            return self.array(*rest)
        if kind == "T":
            return self.tensor(*rest)
        return {"l": list, "d": dict, "s": set, "ba": bytearray}[kind]()

    def fill(self, kind, made, *rest):
        if kind == "l":
            made.extend(map(self.decode, rest[0]))
        elif kind == "d":
            made.update((self.decode(key), self.decode(each)) for key, each in rest[0])
        elif kind == "s":
            made.update(map(self.decode, rest[0]))
        elif kind == "ba":
            made += self.part(rest[0])

    @staticmethod
    def type_named(text):
        import numpy
        made = numpy.dtype(text)
        if made.kind not in "biufcSUMm":
            raise ValueError("an array of objects")
        return made

    def array(self, name, shape, place):
        import numpy
        return numpy.frombuffer(self.part(place), self.type_named(name)).reshape(shape)

    @staticmethod
    def torch_type(text):
        import torch
        made = getattr(torch, text.removeprefix("torch."))
        if not isinstance(made, torch.dtype):
            raise ValueError("no type of torch's")
        return made

    def tensor(self, name, shape, strides, device, place):
        import torch
        made, data = self.torch_type(name), self.part(place)
        flat = torch.frombuffer(data, dtype=torch.uint8).view(made) if data else torch.empty(0, dtype=made)
        whole = flat.reshape(shape)
        if strides is not None and list(whole.stride()) != strides:
            whole = torch.empty_strided(shape, strides, dtype=made).copy_(whole)
        return whole.to(torch.device(device))

    def of_m(self, at):
        if not 0 <= at < len(self.changeable):
            raise ValueError("a value that was not sent")
        return self.changeable[at]

    def of_v(self, value):
        return value

    def of_dots(self):
        return Ellipsis

    def of_i(self, text):
        return int(text, 16)

    def of_f(self, text):
        return float.fromhex(text)

    def of_c(self, real, imaginary):
        return complex(float.fromhex(real), float.fromhex(imaginary))

    def of_b(self, place):
        return bytes(self.part(place))

    def of_t(self, values):
        return tuple(map(self.decode, values))

    def of_fs(self, values):
        return frozenset(map(self.decode, values))

    def of_slice(self, values):
        return slice(*map(self.decode, values))

    def of_range(self, values):
        return range(*map(self.decode, values))

    def of_ns(self, name, place):
        import numpy
        return numpy.frombuffer(self.part(place), self.type_named(name))[0]

    def of_nd(self, name):
        return self.type_named(name)

    def of_td(self, name):
        return self.torch_type(name)

    def of_tv(self, name):
        import torch
        return torch.device(name)


def send(channel, header, data=b""):
    text = json.dumps(header).encode()
    channel.sendall(struct.pack("<QQ", len(text), len(data)))
    channel.sendall(text)
    channel.sendall(data)


def receive_exactly(channel, size):
    data = bytearray(size)
    view, got = memoryview(data), 0
    while got < size:
        more = channel.recv_into(view[got:], min(size - got, 1 << 24))
        if more == 0:
            raise EOFError
        got += more
    return data


def receive(channel):
    sizes = struct.unpack("<QQ", receive_exactly(channel, 16))
    if sum(sizes) > MOST:
        raise EOFError
    text, data = (receive_exactly(channel, size) for size in sizes)
    return json.loads(text), data
