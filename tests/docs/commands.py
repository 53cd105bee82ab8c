# SPDX-License-Identifier: Apache-2.0
"""Is a command made of what there is? Each function yields what is wrong with one kind of command."""
import re
import shlex

# Programs of the system, whose arguments are the reader's own.
SYSTEM = {"apt", "cat", "cd", "cp", "echo", "mkdir", "sudo"}
OF_THE_SHELL = {"&&", "||", "|", ";", "(", ")", ">", "2>"}


def simple_commands(line):
    """The words of each command of a line; <placeholders> are one word."""
    lexer = shlex.shlex(re.sub(r"<[\w -]+>", "PLACEHOLDER", line), posix=True, punctuation_chars=";&|()")
    lexer.whitespace_split = True
    command = []
    for word in lexer:
        if word in OF_THE_SHELL:
            yield command
            command = []
        else:
            command.append(word)
    yield command


def value_of(words, option):
    """What follows the option, or comes after its '='."""
    for at, word in enumerate(words):
        if word == option:
            return words[at + 1] if at + 1 < len(words) else ""
        if word.startswith(option + "="):
            return word[len(option) + 1:]
    return None


def unknown_options(known, words, *asked):
    options = known.options_of(*asked)
    for word in words:
        name = word.split("=")[0]
        if re.match(r"--[a-z]", name) and name not in options:
            yield f"'{name}' is no option of '{' '.join(('assay', *asked[1:-1])) if len(asked) > 2 else asked[0]}'"


def check_filters(known, words):
    for option, names, kind in (("-L", known.labels, "label"), ("-LE", known.labels, "label"), ("-R", known.tests, "test"), ("-E", known.tests, "test")):
        wanted = value_of(words, option)
        if wanted is None or "PLACEHOLDER" in wanted:
            continue
        if not any(re.search(wanted, name) for name in names):
            yield f"{option} '{wanted}': no {kind} is called so"
        elif kind == "label" and not (wanted.startswith("^") and wanted.endswith("$")):
            yield f"{option} '{wanted}' also takes labels that hold it. do: write '^{wanted}$'"


def check_preset(known, words, kind):
    name = value_of(words, "--preset")
    if name is not None and name not in known.presets[kind]:
        yield f"no {kind} preset is called '{name}'"


def check_ctest(known, words):
    yield from check_preset(known, words, "test")
    yield from check_filters(known, words)
    yield from unknown_options(known, words, known.programs["ctest"], "--help")


def check_definitions(known, words):
    for name, value in (word[2:].partition("=")[::2] for word in words if word.startswith("-D")):
        name = name.split(":")[0]
        if not name.startswith("KERNELASSAY_"):
            continue
        if name not in known.variables:
            yield f"no cache variable is called '{name}'"
        elif name in known.values and value not in known.values[name]:
            yield f"{name} knows no '{value}'"


def check_cmake(known, words):
    mode = next((mode for mode in ("--build", "--install", "--workflow") if mode in words), "")
    yield from check_preset(known, words, mode[2:] if mode in ("--build", "--workflow") else "configure")
    yield from check_definitions(known, words)
    asked = [mode, "--help"] if mode == "--workflow" else [mode] if mode else ["--help"]
    yield from unknown_options(known, [word for word in words if word not in (mode, "--preset")], known.programs["cmake"], *asked)


def check_assay(known, words):
    if not words or words[0].startswith("-"):
        yield from unknown_options(known, words, known.build / "bin/assay", "--help")
        return
    if not known.has_subcommand(words[0]):
        yield f"assay has no subcommand '{words[0]}'"
        return
    own, ctest = split_at_dashes(words[1:])
    yield from check_filters(known, ctest)
    name = words[:1]
    if own and re.fullmatch(r"[a-z][a-z-]*", own[0]) and known.has_subcommand(words[0], own[0]):  # `assay export harbor`
        name.append(own.pop(0))
    yield from unknown_options(known, own, known.build / "bin/assay", *name, "--help")


def split_at_dashes(words):
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1:]


def check_script(known, program, words):
    path = known.source / program
    if not path.is_file():
        yield f"there is no '{program}'"
        return
    own, ctest = split_at_dashes(words)
    yield from check_filters(known, ctest)
    yield from check_definitions(known, own)
    yield from check_preset(known, own, "configure")
    text = path.read_text()
    for word in own:
        if re.match(r"--[a-z]", word) and not re.search(rf"(?<![\w-]){re.escape(word.split('=')[0])}(?![\w-])", text):
            yield f"{program} knows no '{word}'"


def check_command(known, words):
    words = list(words)
    while words and re.fullmatch(r"[A-Za-z_]\w*=.*", words[0], re.DOTALL):
        name = words.pop(0).split("=")[0]
        if name not in known.sources:
            yield f"nobody reads the variable '{name}'"
    if not words:
        return
    program, rest = words[0], words[1:]
    if program == "ctest":
        yield from check_ctest(known, rest)
    elif program == "cmake":
        yield from check_cmake(known, rest)
    elif program == "cpack":
        yield from unknown_options(known, rest, known.programs["cpack"], "--help")
    elif program == "assay" or re.fullmatch(r"(\S*/)?build/\w+/bin/assay", program):
        yield from check_assay(known, rest)
    elif re.fullmatch(r"build/\w+/bin/[\w-]+", program):
        if not (known.build / "bin" / program.split("/")[-1]).exists():
            yield f"no program is called '{program.split('/')[-1]}'"
    elif program.startswith(("scripts/", "tests/")):
        yield from check_script(known, program, rest)
    elif program not in SYSTEM:
        yield f"'{program}' is no program that tests/docs knows"


def check_text(known, text):
    """All commands of a block; yields (line within it, what is wrong)."""
    text = re.sub(r"\\\n", "  ", text)
    for number, line in enumerate(text.split("\n")):
        try:
            commands = list(simple_commands(line))
        except ValueError as error:
            yield number, f"the shell cannot read this: {error}"
            continue
        for words in commands:
            for problem in check_command(known, words):
                yield number, problem
