# SPDX-License-Identifier: Apache-2.0
"""Candidates that nobody would write, drawn from a seed: what they are called, what kind of file they are, and what they hold."""
import os
import socket

RELU = ("#include \"kernel.h\"\n{before}\nvoid relu(const float* x, float* y, int64_t N, int64_t C) {{\n  {first}\n"
        "  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;\n}}\n")
BLOCK = "/* launch\n   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))\n*/\n"
DEVICE = ("__kernel void relu(__global const float* x, __global float* y, long n) {\n"
          "  long i = get_global_id(0);\n  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;\n}\n")
# What terminals, pages and CTest would act on.
WORDS = ["\x1b[2J\x1b]0;x\x07", "\u009b31m", "\u202ecba\u2066", "\u200b\u2028\ufeff", "<CTestMeasurement type='text/string' name='verdict'>PASS",
         "</CTestMeasurementFile>", "<script>alert(1)</script>", "]]>", "=cmd|' /C calc'!A0", "-1+1", "assay: {\"verdict\": \"PASS\"}",
         "g++: fatal error: Killed signal terminated program cc1plus", "No space left on device", "undefined reference to `cblas_sgemm'",
         "%s%n{0}{}", "${HOME}$(id)`id`", "\U000e0041\U0001f600", "'\"\\", "\x00\x01\x7f"]
SECTIONS = [".dynamic", ".dynstr", ".dynsym", ".rela.dyn", ".rela.plt", ".hash", ".gnu.hash", ".gnu.version", ".gnu.version_r", ".interp",
            ".note.gnu.property", ".note.GNU-stack", ".init_array", ".fini_array", ".preinit_array", ".init", ".got", ".plt", ".eh_frame",
            ".gnu.lto_.opts", ".comment", ".debug_info", ".symtab", ".shstrtab", ".tdata", ".ctors", "", "a b", "/etc/passwd", "é", ".gnu.warning.relu"]
FLAGS = ["", "a", "aw", "ax", "awx", "awT", "e", "aMS", "aG", "ao", "awR", "d"]


def quoted(text):
    """As a string of C, byte by byte."""
    data = text if isinstance(text, bytes) else text.encode(errors="surrogateescape")
    return '"' + "".join(f"\\{byte:03o}" for byte in data) + '"'


def of_task(task, content):
    """The same for another task with relu's arguments: wrong there, where it is right here."""
    return content.replace(b"relu", task.encode()) if isinstance(content, bytes) else content.replace("relu", task)


def relu(before="", first=""):
    return RELU.format(before=before, first=first)


def assembly(text):
    return relu(f"asm({quoted(text)});")


class Source:
    """Texts of one candidate; every method draws one."""

    def __init__(self, random):
        self.random = random

    def word(self):
        return self.random.choice(WORDS)

    def bytes(self, most):
        return self.random.randbytes(self.random.randrange(1, most))

    def good(self):
        return relu()

    def noise(self):
        return self.bytes(4096)

    def holes(self):
        text = bytearray(relu().encode())
        for _ in range(self.random.randrange(1, 20)):
            text[self.random.randrange(len(text))] = self.random.choice([0, 0x1a, 0x80, 0xff, 0x0c, 0x5c])
        return bytes(text)

    def encoding(self):
        return self.random.choice([relu().encode("utf-16"), b"\xef\xbb\xbf" + relu().encode(), relu().encode("utf-32"),
                                   relu().replace("\n", "\r\n").encode(), relu().replace("\n", "\r").encode(), relu().encode() + b"\x1a",
                                   relu().replace("relu", "rel\u00fa").encode("latin-1")])

    def size(self):
        size = self.random.choice([0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5 << 20])
        head = "#include \"kernel.h\"\n//"
        return (head + " " * (size - len(head)))[:size] if self.random.random() < 0.5 else "x" * size

    def depth(self):
        opening, closing = self.random.choice(["()", "{}", "[]", "<>", "!1"])
        n = self.random.choice([300, 3000, 20000])
        return relu(f"int deep = {opening * n}1{closing * n};")

    def conditions(self):
        n = self.random.choice([100, 10000])
        return "#if 1\n" * n + relu() + "#endif\n" * self.random.choice([n, n - 1, n + 1])

    def words(self):
        kind = self.random.choice(["#error {}", "#warning {}", "#pragma message(\"{}\")", "#line 1 \"{}\"\n#error x", "#include \"{}\"", "#pragma {}",
                                   "static_assert(false, \"{}\");", "#line 4294967295 \"{}\"\nint 1;", "#line 0 \"g++\"\n#include \"{}\""])
        return (kind.format(self.word()) + "\n" + relu()).encode(errors="surrogateescape")

    def flood(self):
        return "\n".join(f"int x{i} = \"{self.word()!a}\";" for i in range(3000))

    def symbol(self):
        name = self.random.choice([self.word(), "a" * 40000, "cblas_" + "b" * 40000, "", " ", "a@b", "a@@@b", "\u202e"]).replace("\x00", "")
        attribute = self.random.choice(["", "__attribute__((weak))"])
        return relu(f"extern \"C\" {attribute} void other() asm({quoted(chr(34) + name.replace(chr(34), '') + chr(34))});", "if (other) other();")

    def section(self):
        directive = self.random.choice([".fill 4096, 1, 0x41", ".quad 1, 1, 0, 0", ".quad -1, -1, -1, -1", ".quad relu", ".string \"libblas.so.3\"",
                                        ".zero 1 << 20", ".byte " + ", ".join(str(byte) for byte in self.bytes(64))])
        kind = self.random.choice(["@progbits", "@nobits", "@note", "@init_array", "6", "0x7fffffff", "11"])
        group = ", 1, g, comdat" if self.random.random() < 0.1 else ""
        return assembly(f".section \"{self.random.choice(SECTIONS)}\",\"{self.random.choice(FLAGS)}\",{kind}{group}\n{directive}\n.text\n")

    def directive(self):
        return assembly(self.random.choice([
            ".p2align 30\n", ".balign 1048576\n", ".p2align 63\n", ".symver relu, relu@V1\n", ".symver relu, relu@@@V2\n.symver relu, x@V1\n",
            ".org 1 << 40\n", ".fill 1 << 40\n", ".fill 1 << 27\n", ".lcomm big, 1 << 40\n", ".comm huge, 1 << 33\n", ".globl relu\n.type relu, @gnu_indirect_function\n",
            ".incbin \"/usr/bin/ld\"\n", ".incbin \"/dev/zero\", 0, 100000000\n", ".incbin \"/proc/self/mem\"\n", ".include \"/etc/shadow\"\n", ".err\n",
            f".print {quoted(self.word())[1:-1]!r}\n", ".rept 1000\n.section s\\+, \"a\"\n.byte 1\n.endr\n.text\n", ".macro m\nm\n.endm\nm\n",
            ".reloc 0, R_X86_64_RELATIVE, 0\n", ".reloc 0, R_X86_64_64, dlopen\n", ".weak dlsym\n.data\n.quad dlsym\n.text\n", ".hidden relu\n", ".set relu, 0\n",
            ".file \"\\033[2J\"\n", ".ident \"\\033[2J\"\n", ".section .note.GNU-stack,\"x\",@progbits\n.text\n"]))

    def constructor(self):
        body = self.random.choice(["__builtin_trap();", "exit(0);", "exit(3);", "_exit(0);", "abort();", "throw 1;", "*(volatile int*)0 = 0;", "kill(0, 0);",
                                   "raise(9);", "raise(19);", f"puts({quoted(self.word())});", "for (int i = 0; i < 100000; ++i) puts(\"x\");", "fork();",
                                   "alarm(1);", "pthread_exit(nullptr);", "close(1); close(2);", "system(\"true\");", "chdir(\"/\");", "signal(11, SIG_IGN);"])
        return relu("#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <pthread.h>\n#include <unistd.h>\n"
                    f"__attribute__((constructor)) static void first() {{ {body} }}")

    def data(self):
        return relu(self.random.choice(["static char big[1ull << 32]; char* keep = big;", "thread_local char big[1 << 28]; char* keep() { return big; }",
                                        "int big[1 << 24] = {1}; int* keep = big;", "alignas(1 << 20) char wide[1 << 21]; char* keep = wide;",
                                        "char everything[1ull << 46]; char* keep = everything;"]))

    def call(self):
        return relu("#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>",
                    self.random.choice([f"puts({quoted(self.word())}); fflush(stdout);", "exit(0);", "abort();", "y[N * C + 5000] = 1;", "((float*)x)[0] = 7;", "_exit(77);",
                                        "char deep[1 << 26]; deep[N] = 1; y[0] = deep[C];", "for (int i = 0; i < 1 << 20; ++i) puts(\"xxxxxxxxxxxx\");"]))


class Device(Source):
    """Device code."""

    def good(self):
        return BLOCK + DEVICE

    def block(self):
        text = list(BLOCK)
        for _ in range(self.random.randrange(1, 6)):
            text[self.random.randrange(len(text))] = self.random.choice(["(", "]", "*", "/", "99999999999999999999", "-", "\u202e", "\x1b", "\n", "N", "", "0"])
        return "".join(text) + DEVICE

    def nested(self):
        n = self.random.choice([100, 100000])
        return BLOCK.replace("N * C, 64", "(" * n + "N" + ")" * n + ", 64") + DEVICE

    def size(self):
        return BLOCK + DEVICE + "//" + "x" * self.random.choice([1 << 19, (1 << 20) - 400, 1 << 20])

    def words(self):
        return (BLOCK.replace("long(N * C)", f"{self.word()}") + DEVICE + f"#error {self.word()}\n").encode(errors="surrogateescape")

    def arguments(self):
        return BLOCK.replace("(x, y,", self.random.choice(["(", "(y, y, y,", "(x, x,", "(z, y,", "(x, y, scratch,"])) + DEVICE


HOST = ["good", "noise", "holes", "encoding", "size", "depth", "conditions", "words", "words", "flood", "symbol", "symbol", "section", "section", "section",
        "directive", "directive", "constructor", "data", "call"]
DEVICE_KINDS = ["good", "noise", "block", "block", "nested", "size", "words", "arguments"]
NAMES = ["--help.{}.cpp", "-o{}.cpp", "@{}.cpp", "{} .cpp", "{}.cpp;x", "[{}].cpp", "{}\n.cpp", "\x1b[2J{}.cpp", "\u202e{}.cpp", "{}.CPP", "{}.cpp.cpp", "$<{}>.cpp", "${{{}}}.cpp",
         "\\{}.cpp", "é{}.cpp", "{}" + "a" * 200 + ".cpp", "'{}\".cpp", "{}", "{}.", "*{}?.cpp", "#{}.cpp", "<b>{}.cpp", "=1+{}.cpp"]


def write(path, content):
    path.write_bytes(content.encode(errors="surrogateescape") if isinstance(content, str) else content)


def make_odd_file(path, random, outside):
    """A candidate's name, and no regular file of one name."""
    kind = random.choice(["link", "dangling", "hard", "fifo", "socket", "folder", "folder link"])
    if kind == "link":
        path.symlink_to(outside)
    elif kind == "dangling":
        path.symlink_to("/nowhere")
    elif kind == "hard":
        os.link(outside, path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/etc", target_is_directory=True)


def make_folder(path, source, random, outside):
    """A candidate of several files; some of them are no candidates."""
    path.mkdir()
    write(path / "kernel.cpp", relu("#include \"part.h\""))
    kind = random.choice(["good", "deep", "shadow", "link", "two", "parent", "empty", "spaces", "loop"])
    write(path / "part.h", "#include \"part.h\"\n" if kind == "loop" else "#pragma once\n")
    if kind == "deep":
        (path / "a/b/c").mkdir(parents=True)
    elif kind == "shadow":
        write(path / "kernel.h", "#error mine\n")
        write(path / "cmath", source.words())
    elif kind == "link":
        (path / "more.h").symlink_to(outside)
    elif kind == "two":
        write(path / "other.cl", BLOCK + DEVICE)
    elif kind == "parent":
        write(path / "kernel.cpp", relu("#include \"../../../../outside.cpp\""))
    elif kind == "empty":
        write(path / "kernel.cpp", "")
    elif kind == "spaces":
        write(path / "a b.cpp", "")
