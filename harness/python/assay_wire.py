# SPDX-License-Identifier: Apache-2.0
"""The box's side of harness/wire in Python: a process that a judge has started maps its memory files and runs calls.

Layouts are those of assay/wire/wire.h, field by field; tests/python compares them with the compiler's. For programs of ours alone:
buffers have no guard pages here. The order of loads and stores is the processor's own, which x86-64 keeps.
"""
import ctypes
import mmap
import os
import sys

VERSION = 11
MOST_BUFFERS = 1024 + 64
MOST_DIMS = 1024
COMMAND_FD, STATUS_FD, INPUTS_FD, OUTPUTS_FD = 3, 4, 5, 6
MOST_SETS = 64
KERNEL, EMPTY, UPLOAD, DOWNLOAD, STOW, FETCH, BATCH, EMPTY_BATCH, _SEALING, TOUCH = range(10)
STARTING, LOADED, NOT_LOADED, ARRIVED, _RESISTED, UNSUITED = range(6)
REFUSED = 4  # Fault::refused

_SYS_FUTEX = 202
_WAIT, _WAKE = 0, 1
_libc = ctypes.CDLL(None, use_errno=True)


class Buffer(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint64), ("pages", ctypes.c_uint64), ("start", ctypes.c_uint64), ("bytes", ctypes.c_uint64),
                ("is_output", ctypes.c_uint32), ("is_scratch", ctypes.c_uint32)]


class Command(ctypes.Structure):
    """As far as a box without launches reads it."""
    _fields_ = [("go", ctypes.c_uint32), ("_to_a_line", ctypes.c_uint8 * 60), ("version", ctypes.c_uint32), ("kind", ctypes.c_uint32),
                ("layout", ctypes.c_uint32), ("spin", ctypes.c_uint32), ("filter", ctypes.c_uint32), ("arenas", ctypes.c_uint32),
                ("set", ctypes.c_uint32), ("buffer_count", ctypes.c_uint32), ("dim_count", ctypes.c_uint32), ("dims", ctypes.c_int64 * MOST_DIMS),
                ("buffers", Buffer * MOST_BUFFERS)]


class Status(ctypes.Structure):
    _fields_ = [("done", ctypes.c_uint32), ("_to_a_line", ctypes.c_uint8 * 60), ("ready", ctypes.c_uint32), ("fault", ctypes.c_uint32),
                ("signal", ctypes.c_uint32), ("buffer", ctypes.c_uint32), ("memory_exhausted", ctypes.c_uint32),
                ("fault_offset", ctypes.c_int64), ("device_ns", ctypes.c_uint64), ("message", ctypes.c_char * 256),
                ("batches", ctypes.c_uint32), ("set_ns", ctypes.c_uint64 * MOST_SETS)]


class Worker:
    """Maps the four files, and tells the judge that the process is there."""

    def __init__(self):
        try:
            self.command = Command.from_address(self._address(COMMAND_FD, mmap.PROT_READ))
            self.status = Status.from_address(self._address(STATUS_FD, mmap.PROT_READ | mmap.PROT_WRITE))
        except (OSError, ValueError):
            sys.exit(3)  # not started by a judge
        if self.command.version != VERSION:
            sys.exit(3)
        # A private mapping that may be written would be populated with copies, which show nothing that the judge writes later.
        self.inputs = self._map(INPUTS_FD, mmap.MAP_SHARED | mmap.MAP_POPULATE, mmap.PROT_READ)
        self.outputs = self._map(OUTPUTS_FD, mmap.MAP_SHARED | mmap.MAP_POPULATE, mmap.PROT_READ | mmap.PROT_WRITE)

    @staticmethod
    def _map(fd, flags, protection):
        return mmap.mmap(fd, os.fstat(fd).st_size, flags=flags, prot=protection)

    @staticmethod
    def _address(fd, protection):
        _libc.mmap.restype = ctypes.c_void_p
        _libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        address = _libc.mmap(None, os.fstat(fd).st_size, protection, mmap.MAP_SHARED, fd, 0)
        if address == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "mmap")
        return address

    def _futex(self, word, operation, value):
        _libc.syscall(_SYS_FUTEX, ctypes.byref(word), operation, value, None, None, 0)

    @staticmethod
    def _word(structure, field):
        return ctypes.c_uint32.from_address(ctypes.addressof(structure) + getattr(type(structure), field).offset)

    def _announce(self, state):
        self.status.ready = state
        self._futex(self._word(self.status, "ready"), _WAKE, 1)

    def arrive(self):
        """Call it when all that can fail for reasons of our own is done."""
        self._announce(ARRIVED)
        self._wait(0)

    def fail_to_load(self, message, state=NOT_LOADED):
        self.status.message = message.encode()[:255]
        self._announce(state)
        os._exit(4)

    def fail_call(self, message):
        self.status.message = message.encode()[:255]
        self.status.fault = REFUSED
        os._exit(4)

    def _wait(self, last):
        """The number of the next call. A frozen process does not spin."""
        command = self.command
        if command.spin:
            while command.go == last:
                pass
        else:
            go = self._word(command, "go")
            while command.go == last:
                self._futex(go, _WAIT, last)
        return command.go

    def buffers(self):
        """(memory, first byte, bytes, whether it is an output) of each tensor."""
        return [(self.outputs if each.is_output else self.inputs, each.offset + each.start, each.bytes, bool(each.is_output))
                for each in self.command.buffers[:self.command.buffer_count]]

    def serve(self, calls, batches=None):
        """Runs calls for ever. What is raised ends the process, and the judge is told.

        `calls` has upload(), kernel() and download(), and touch() where a device turns to the process that works on it; `batches`, of a box that makes batches on a device with a clock, stow(set), fetch(set)
        and batch(sets, whether it calls the kernel), which gives nanoseconds for each set.
        """
        command, status = self.command, self.status
        run = {KERNEL: calls.kernel, UPLOAD: calls.upload, DOWNLOAD: calls.download, EMPTY: lambda: None,
               TOUCH: getattr(calls, "touch", lambda: None)}
        if batches is not None:
            def timed(runs_kernel):
                status.set_ns[:command.set] = [max(1, round(each)) for each in batches.batch(command.set, runs_kernel)]
            run |= {STOW: lambda: batches.stow(command.set), FETCH: lambda: batches.fetch(command.set), BATCH: lambda: timed(True),
                    EMPTY_BATCH: lambda: timed(False)}
            status.batches = MOST_SETS
        last = command.go
        self._announce(LOADED)
        done = self._word(status, "done")
        while True:
            last = self._wait(last)
            try:
                run[command.kind]()
            except Exception as error:  # the judge has no other way to learn of it
                self.fail_call(f"{type(error).__name__}: {error}")
            status.done = last
            if not command.spin:
                self._futex(done, _WAKE, 1)
