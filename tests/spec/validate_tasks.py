#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every task.yaml against the published JSON Schema, and that the schema refuses what it should."""
import json
import pathlib
import re
import sys

import jsonschema
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from declared_tasks import declared_tasks  # noqa: E402

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = 0


class Yaml12(yaml.SafeLoader):
    """Reads numbers by YAML 1.2's core schema, as the loader of task.yaml and editors do: 1e-12 is one."""


Yaml12.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)[eE][-+]?[0-9]+$"), list("-+.0123456789"))


def as_task(task):
    """What a family's task says, as a task.yaml does."""
    said = yaml.load(task.text, Loader=Yaml12)
    if not task.member:
        return said
    shared = {key: value for key, value in said.items() if key not in ("tasks", "types", "variants")}
    variables = {}
    for group in ("tasks", "variants"):
        for entry in (said.get(group) or {}).values():  # the lines of both may stand below one
            shared |= {key: value for key, value in entry.items() if key in schema["properties"]}
            variables |= {key: value for key, value in entry.items() if key not in schema["properties"]}
    return filled(shared, variables)


def filled(value, variables):
    """With a variable's value for a text that is the variable alone: {low} becomes a number."""
    if isinstance(value, dict):
        return {key: filled(inner, variables) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, variables) for inner in value]
    return variables.get(value[1:-1], value) if isinstance(value, str) and value[:1] + value[-1:] == "{}" else value


files = declared_tasks(sys.argv[2])
for task in files:
    for error in validator.iter_errors(as_task(task)):
        print(f"{task.argument}: {'/'.join(map(str, error.path))}: {error.message}")
        failures += 1
good = as_task(files[0])
broken = [
    {**good, "colour": "red"},
    {**good, "difficulty": 6},
    {**good, "dims": {"N": [1, 2, 3, 4]}},
    {**good, "inputs": {"x": {"init": "gaussian"}}},
    {**good, "timing": {"npu": {"dims": {}}}},
    {**good, "timing": {}},
    {**good, "timing": {"cpu": []}},
    {**good, "waivers": [{"alteration": "all zero"}]},
    {**good, "bounds": {"y": {"factor": 100, "why": "slow"}}},
    {**good, "timing": {"cpu": [{"dims": {"N": "8"}}]}},
    {key: value for key, value in good.items() if key != "model"},
]
for document in broken:
    if validator.is_valid(document):
        print(f"the schema accepts a broken task: {document}")
        failures += 1
print(f"{len(files)} tasks, {len(broken)} broken ones, {failures} failures")
sys.exit(1 if failures or not files else 0)
