# SPDX-License-Identifier: Apache-2.0
"""Values of Python as data, between two processes of which neither trusts the other: JSON, and bytes beside it. Python's own values, NumPy's
arrays and PyTorch's tensors are copied, with their types, shapes, strides and devices; nothing that is received is ever run.

A message is two numbers of 8 bytes, little-endian, the sizes of JSON and bytes, and then these. A value is a list that begins with its kind.
What can be changed in its place (a list, a tensor) is ["m", k], the k-th of a list of objects, so that both sides can speak of it again.
"""
import json
import struct
import sys

MOST = 4 << 30  # bytes of a message
DEEPEST = 100  # levels of tuples
PLAIN = "biufcSUMm"  # NumPy's kinds of elements that hold no objects


def library(name):
    """The module where it is imported, else None: then no value is of it."""
    return sys.modules.get(name)


class Sent:
    """Encodes values. `objects` are those that the other side knows already; of_stranger(value) gives the form of what cannot be copied, or
    raises TypeError."""

    def __init__(self, of_stranger, objects=()):
        self.of_stranger = of_stranger
        self.objects = list(objects)
        self.places = {id(each): i for i, each in enumerate(self.objects)}
        self.forms = []
        self.bytes = bytearray()

    def finished(self):
        """The forms of all objects, which may hold others."""
        while len(self.forms) < len(self.objects):
            value = self.objects[len(self.forms)]
            self.forms.append(self.form_of(value)(value))
        return self.forms

    def encode(self, value, depth=0):
        if depth > DEEPEST:
            raise ValueError("a value of a hundred levels")
        if value is Ellipsis:
            return ["..."]
        if value is None or type(value) in (bool, str):
            return ["v", value]
        if type(value) is int:
            return ["i", hex(value)]
        if type(value) is float:
            return ["f", value.hex()]
        if type(value) is complex:
            return ["c", value.real.hex(), value.imag.hex()]
        if type(value) is bytes:
            return ["b", value.hex()]
        if type(value) is tuple:
            return ["t", [self.encode(each, depth + 1) for each in value]]
        if type(value) is frozenset:
            return ["fs", self.sorted(value, depth)]
        if type(value) in (slice, range):
            return [type(value).__name__, [self.encode(each, depth + 1) for each in (value.start, value.stop, value.step)]]
        if self.form_of(value) is not None:
            if id(value) not in self.places:
                self.places[id(value)] = len(self.objects)
                self.objects.append(value)
            return ["m", self.places[id(value)]]
        return self.encode_other(value)

    def encode_other(self, value):
        numpy, torch = library("numpy"), library("torch")
        if numpy and isinstance(value, numpy.generic) and value.dtype.kind in PLAIN:
            return ["ns", value.dtype.str, value.tobytes().hex()]
        if numpy and isinstance(value, numpy.dtype) and value.kind in PLAIN:
            return ["nd", value.str]
        if torch and type(value) is torch.Size:
            return ["t", [self.encode(each) for each in value]]
        if torch and isinstance(value, torch.dtype):
            return ["td", str(value)]
        if torch and isinstance(value, torch.device):
            return ["tv", str(value)]
        return self.of_stranger(value)

    def form_of(self, value):
        """How an object is written; None where the value is no object that can be changed."""
        forms = {list: self.of_list, dict: self.of_dict, set: self.of_set, bytearray: self.of_bytes}
        if type(value) in forms:
            return forms[type(value)]
        if library("numpy") and isinstance(value, library("numpy").ndarray):
            return self.of_array
        if library("torch") and isinstance(value, library("torch").Tensor):
            return self.of_tensor
        return None

    def place(self, data):
        self.bytes += data
        return [len(self.bytes) - len(data), len(data)]

    def sorted(self, values, depth=0):
        return sorted((self.encode(each, depth + 1) for each in values), key=json.dumps)

    def of_list(self, value):
        return ["l", [self.encode(each) for each in value]]

    def of_dict(self, value):
        return ["d", [[self.encode(key), self.encode(each)] for key, each in value.items()]]

    def of_set(self, value):
        return ["s", self.sorted(value)]

    def of_bytes(self, value):
        return ["ba", self.place(value)]

    def of_array(self, value):
        if value.dtype.kind not in PLAIN:
            raise TypeError(f"an array of {value.dtype} cannot be handed between the test and the solution")
        return ["n", self.place(value.tobytes()), value.dtype.str, list(value.shape)]

    def of_tensor(self, value):
        torch, plain = library("torch"), value.detach()
        if plain.layout != torch.strided:
            raise TypeError(f"a tensor of layout {plain.layout} cannot be handed between the test and the solution")
        strides = list(plain.stride())
        if any(stride == 0 and size > 1 for stride, size in zip(strides, plain.shape)):
            strides = None  # an expanded one
        data = plain.resolve_conj().resolve_neg().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""
        return ["T", self.place(data), str(plain.dtype), list(plain.shape), str(plain.device), strides]


def is_same(was, was_bytes, now, now_bytes):
    """Whether two forms of one object say the same of it."""
    if was[0] != now[0] or was[0] not in ("ba", "n", "T"):
        return was == now
    (a, size), (b, other) = was[1], now[1]
    return was[2:4] == now[2:4] and size == other and was_bytes[a:a + size] == now_bytes[b:b + size]


class Received:
    """Decodes them. `forms` are those of all objects, of which this side knows the first: `objects`. `data` is a bytearray, of which each value
    gets its own copy; stranger_numbered(n) is what Sent.of_stranger() has made ["o", n] of."""

    def __init__(self, forms, data, stranger_numbered, objects=()):
        self.bytes, self.of_o = data, stranger_numbered
        self.objects = list(objects)
        fresh = forms[len(self.objects):]
        made = [self.begin(*form) for form in fresh]
        self.objects += made
        for each, form in zip(made, fresh):
            self.fill(each, *form)

    def decode(self, value):
        kind, *rest = value
        return getattr(self, f"of_{'dots' if kind == '...' else kind}")(*rest)

    def content(self, form):
        """What an object that is known holds now, as another one."""
        made = self.begin(*form)
        self.fill(made, *form)
        return made

    def begin(self, kind, *rest):
        if kind == "n":
            return self.array(*rest)
        if kind == "T":
            return self.tensor(*rest)
        return {"l": list, "d": dict, "s": set, "ba": bytearray}[kind]()

    def fill(self, made, kind, *rest):
        if kind == "l":
            made.extend(map(self.decode, rest[0]))
        elif kind == "d":
            made.update((self.decode(key), self.decode(each)) for key, each in rest[0])
        elif kind == "s":
            made.update(map(self.decode, rest[0]))
        elif kind == "ba":
            made += self.part(rest[0])

    def part(self, place):
        at, size = place
        if not 0 <= at <= at + size <= len(self.bytes):
            raise ValueError("a value outside its message")
        return self.bytes[at:at + size]

    @staticmethod
    def type_named(text):
        import numpy
        made = numpy.dtype(text)
        if made.kind not in PLAIN:
            raise ValueError("an array of objects")
        return made

    def array(self, place, name, shape):
        import numpy
        return numpy.frombuffer(self.part(place), self.type_named(name)).reshape(shape)

    @staticmethod
    def torch_type(text):
        import torch
        made = getattr(torch, text.removeprefix("torch."))
        if not isinstance(made, torch.dtype):
            raise ValueError("no type of torch's")
        return made

    def tensor(self, place, name, shape, device, strides):
        import torch
        made, data = self.torch_type(name), self.part(place)
        flat = torch.frombuffer(data, dtype=torch.uint8).view(made) if data else torch.empty(0, dtype=made)
        whole = flat.reshape(shape)
        if strides is not None and list(whole.stride()) != strides:
            whole = torch.empty_strided(shape, strides, dtype=made).copy_(whole)
        return whole.to(torch.device(device))

    def of_m(self, at):
        if not 0 <= at < len(self.objects):
            raise ValueError("an object that was not sent")
        return self.objects[at]

    def of_v(self, value):
        if value is not None and type(value) not in (bool, str):
            raise ValueError("a value of another kind")
        return value

    def of_dots(self):
        return Ellipsis

    def of_i(self, text):
        return int(text, 16)

    def of_f(self, text):
        return float.fromhex(text)

    def of_c(self, real, imaginary):
        return complex(float.fromhex(real), float.fromhex(imaginary))

    def of_b(self, text):
        return bytes.fromhex(text)

    def of_t(self, values):
        return tuple(map(self.decode, values))

    def of_fs(self, values):
        return frozenset(map(self.decode, values))

    def of_slice(self, values):
        return slice(*map(self.decode, values))

    def of_range(self, values):
        return range(*map(self.decode, values))

    def of_ns(self, name, text):
        import numpy
        return numpy.frombuffer(bytes.fromhex(text), self.type_named(name))[0]

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
    """(header, data). Raises EOFError where the other side is gone, or says what nobody would."""
    sizes = struct.unpack("<QQ", receive_exactly(channel, 16))
    if sum(sizes) > MOST:
        raise EOFError
    text, data = (receive_exactly(channel, size) for size in sizes)
    return json.loads(text), data
