# SPDX-License-Identifier: Apache-2.0
"""The judge's side of the wire, as far as the tests of boxes in Python need it."""
import ctypes
import mmap
import os
import subprocess
import sys
import time

import assay_wire as wire

PAGE = 4096


class Judge:
    """Starts `argv` as a box over the tensors `inputs` (bytes of each) and `outputs` (how many bytes each has)."""

    def __init__(self, argv, inputs, outputs, dims=(), spin=0, version=wire.VERSION):
        sizes = [len(each) for each in inputs]
        self.files = [os.memfd_create(name) for name in ("command", "status", "inputs", "outputs")]
        room = [ctypes.sizeof(wire.Command), PAGE, max(1, sum(map(self.whole, sizes))), max(1, sum(map(self.whole, outputs)))]
        for fd, size in zip(self.files, room):
            os.ftruncate(fd, self.whole(size))
        self.maps = [mmap.mmap(fd, self.whole(size)) for fd, size in zip(self.files, room)]
        self.command = wire.Command.from_buffer(self.maps[0])
        self.status = wire.Status.from_buffer(self.maps[1])
        self.command.version, self.command.spin, self.command.layout = version, spin, 1
        for i, extent in enumerate(dims):
            self.command.dims[i] = extent
        self.command.dim_count = len(dims)
        self.places = []
        for is_output, all_sizes in ((0, sizes), (1, outputs)):
            offset = 0
            for size in all_sizes:
                pages = self.whole(size) // PAGE
                # The payload ends where its pages do, up to alignment.
                start = (pages * PAGE - size) // 64 * 64
                self.command.buffers[self.command.buffer_count] = wire.Buffer(offset, pages, start, size, is_output, 0)
                self.command.buffer_count += 1
                self.places.append((self.maps[2 + is_output], offset + start, size))
                offset += pages * PAGE
        for (memory, at, size), data in zip(self.places, inputs):
            memory[at:at + size] = data
        self.outputs = self.places[len(inputs):]
        keep = {3 + i: fd for i, fd in enumerate(self.files)}
        high = {number: os.dup2(fd, 100 + number, inheritable=False) for number, fd in keep.items()}

        def arrange():
            for number, fd in high.items():
                os.dup2(fd, number, inheritable=True)

        self.process = subprocess.Popen([sys.executable, "-B", *argv], preexec_fn=arrange, close_fds=False,
                                        env={**os.environ, "PYTHONPATH": os.environ["ASSAY_PYTHON"]})
        for fd in high.values():
            os.close(fd)

    @staticmethod
    def whole(size):
        return max(1, (size + PAGE - 1) // PAGE) * PAGE

    def wait_until(self, reached, seconds=60):
        """False where the process ends, or the time, before `reached`()."""
        end = time.monotonic() + seconds
        while not reached():
            if self.process.poll() is not None or time.monotonic() > end:
                return reached()
            time.sleep(0.001)
        return True

    def wake(self):
        self.command.go += 1
        go = ctypes.c_uint32.from_buffer(self.maps[0])
        assay = wire._libc
        assay.syscall(wire._SYS_FUTEX, ctypes.byref(go), wire._WAKE, 1, None, None, 0)

    def load(self):
        """True where the box says that it is there, and then that it waits for calls."""
        if not self.wait_until(lambda: self.status.ready in (wire.ARRIVED, wire.NOT_LOADED)) or self.status.ready != wire.ARRIVED:
            return False
        self.wake()
        return self.wait_until(lambda: self.status.ready == wire.LOADED)

    def call(self, kind):
        """True where the call comes to its end."""
        self.command.kind = kind
        self.wake()
        return self.wait_until(lambda: self.status.done == self.command.go)

    def output(self, i):
        memory, at, size = self.outputs[i]
        return bytes(memory[at:at + size])

    def end(self):
        self.process.kill()
        return self.process.wait()
