#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every task.yaml against the published JSON Schema, and that the schema refuses what it should."""
import json
import pathlib
import sys

import jsonschema
import yaml

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = 0
files = sorted(pathlib.Path(sys.argv[2]).glob("*/*/task.yaml"))
for file in files:
    for error in validator.iter_errors(yaml.safe_load(file.read_text())):
        print(f"{file}: {'/'.join(map(str, error.path))}: {error.message}")
        failures += 1
good = yaml.safe_load(files[0].read_text())
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
