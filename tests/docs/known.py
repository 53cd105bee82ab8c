# SPDX-License-Identifier: Apache-2.0
"""What commands may name: presets, cache variables, labels and tests, subcommands and options, each asked of what defines it."""
import functools
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from declared_tasks import declared_tasks  # noqa: E402

STAGES = ("compile", "test", "bench")
EXAMPLE_RUNS = ("my-model", "other-model")  # what pages call the reader's own runs


def said(*command, cwd=None):
    words = [str(word) for word in command]
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=cwd).stdout


class Known:
    def __init__(self, source, build, cmake):
        self.source, self.build = source, build
        self.programs = {name: cmake.parent / name for name in ("cmake", "ctest", "cpack")}
        presets = json.loads((source / "CMakePresets.json").read_text())
        self.presets = {kind: {preset["name"] for preset in presets[kind + "Presets"]} for kind in ("configure", "build", "test", "workflow")}
        self._read_cache()
        self.declared = declared_tasks(source / "tasks")
        self.tasks = {task.name: task.category for task in self.declared}
        self._read_tests()

    def _read_cache(self):
        text = (self.build / "CMakeCache.txt").read_text()
        self.variables = set(re.findall(r"^(KERNELASSAY_\w+):(?!INTERNAL)", text, re.MULTILINE))
        values = re.findall(r"^(KERNELASSAY_\w+)-STRINGS:INTERNAL=(.*)$", text, re.MULTILINE)
        self.values = {name: set(words.split(";")) for name, words in values}

    def _read_tests(self):
        """Those of the build tree, and those that any tree of tasks and candidates has: CI builds a part of the references only."""
        listed = json.loads(said(self.programs["ctest"], "--test-dir", self.build, "--show-only=json-v1"))["tests"]
        self.tests = {test["name"] for test in listed}
        self.labels = {label for test in listed for each in test.get("properties", []) if each["name"] == "LABELS" for label in each["value"]}
        for path in (*self.source.glob("tests/**/CMakeLists.txt"), *self.source.glob("tests/*/*.cmake")):  # also where a package is missing
            for words in re.findall(r'\bLABELS "?([\w:;-]+)', path.read_text()):
                self.labels |= set(words.split(";"))
        backends = {path.stem for path in self.source.glob("cmake/backends/*.cmake")}
        runs = {path.name for path in self.source.glob("generated/*")} | {"reference", *EXAMPLE_RUNS}
        self.labels |= backends | {f"run:{run}" for run in runs} | {f"stage:{stage}" for stage in STAGES}
        for task in self.declared:
            self.labels |= {task.category, f"task:{task.name}", "difficulty:" + re.search(r"\bdifficulty: (\d)", task.text)[1]}
            for suites in re.findall(r"\bsuites: (?:\[(.*?)\]|\{(.*?)\})", task.text):
                self.labels |= {f"suite:{suite}" for suite in re.findall(r"[\w.-]+", re.sub(r": *\[.*?\]", "", "".join(suites)))}
        self.labels |= {f"suite:{path.stem}" for path in self.source.glob("tasks/suites/*.yaml")}
        self.tests |= {f"{run}.{task}.{backend}.000.{stage}" for run in runs for task in self.tasks for backend in backends for stage in STAGES}
        self.tests |= {f"torch.{task}" for task in self.tasks}
        for program in self.source.glob("harness/python/*_baseline.py"):  # tests are there where its library is
            framework = program.stem.removesuffix("_baseline").replace("_", "-")
            self.tests.add(f"{framework}.baseline")
            self.labels.add(framework.split("-")[0])

    @functools.cached_property
    def sources(self):
        """The text of all that may read an environment variable."""
        paths = [path for pattern in ("harness/**/*.cpp", "harness/**/*.h", "cmake/**/*.cmake") for path in self.source.glob(pattern)]
        return "\n".join(path.read_text() for path in paths)

    @functools.cached_property
    def tried(self):
        """The text of all that tries something, and the files' names."""
        suffixes = (".cpp", ".h", ".py", ".cl", ".cu", ".txt", ".cmake")
        paths = [path for path in self.source.glob("tests/**/*") if path.suffix in suffixes and path.parent.name != "docs"]
        marks = {".cl": "_cl", ".cu": "_cu"}
        # A cheat in OpenCL C is called <file>_cl, one in CUDA <file>_cu.
        return "\n".join(f"{path.stem}{marks.get(path.suffix, '')}\n{path.read_text(errors='replace')}" for path in paths)

    @functools.cache
    def is_tried(self, suite, test):
        """A test's name, or a word that begins so."""
        words = [word for word in (suite, test) if word]
        return re.search(r"\W+".join(rf"\b{word}" for word in words), self.tried) is not None

    @functools.cache
    def help_of(self, *command):
        return said(*command)

    def options_of(self, *command):
        return set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", self.help_of(*command)))

    def has_subcommand(self, *name):
        """Of assay: its help begins with how it is called. For an unknown name it is the help of assay itself."""
        return re.search(rf"assay {re.escape(' '.join(name))}(?![\w-])", self.help_of(self.build / "bin/assay", *name, "--help")) is not None
