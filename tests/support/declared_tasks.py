# SPDX-License-Identifier: Apache-2.0
"""The tasks that a tree declares: <category>/<name>/task.yaml, and those of each family, <category>/<family>.yaml, read by its lines as
cmake/KernelTasks.cmake reads them."""
import dataclasses
import pathlib
import re


@dataclasses.dataclass(frozen=True)
class Task:
    name: str
    category: str
    file: pathlib.Path
    member: bool  # of a family
    text: str  # of the file, without what it says of other tasks

    @property
    def argument(self):
        """As the command line names it."""
        return f"{self.file}#{self.name}" if self.member else str(self.file)


def declared_tasks(folder):
    """All tasks below `folder`, sorted by file."""
    tasks = []
    for file in sorted(path for pattern in ("*/*/task.yaml", "*/*.yaml") for path in pathlib.Path(folder).glob(pattern)):
        text = file.read_text()
        if file.name == "task.yaml":
            tasks.append(Task(file.parent.name, file.parent.parent.name, file, False, text))
        elif file.parent.name != "suites":
            tasks += [Task(name, file.parent.name, file, True, own) for name, own in _members(text)]
    return tasks


def _members(text):
    """(name, text) of each task of a family."""
    shared, entries, types = [], {"tasks": {}, "variants": {}}, [""]
    section, entry = "", None
    for line in text.splitlines():
        if top := re.match(r"([a-z_]+):(.*)", line):
            section, entry = top[1], None
            if section == "types":
                types = re.findall(r"[a-z0-9]+", top[2])
        elif section in entries and (named := re.match(r"  ([a-z][a-z0-9_]*):", line)):
            entry = entries[section].setdefault(named[1], [])
        (shared if entry is None else entry).append(line)
    variants = entries["variants"] or {"plain": []}
    for task, lines in entries["tasks"].items():
        for variant in _words("variants", lines[0], variants):
            for kind in _words("types", lines[0], types):
                name = "_".join([task] + [variant] * (variant != "plain") + [kind] * (kind not in ("", "float")))
                yield name, "\n".join([*shared, *variants[variant], *lines, f"# {kind}"])


def _words(key, line, default):
    listed = re.search(rf"[{{,] *{key}: *\[([^\]]*)\]", line)
    return re.findall(r"[a-z0-9_]+", listed[1]) if listed else list(default)
