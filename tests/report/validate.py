#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""validate.py SCHEMA JSON: the JSON obeys its schema.
validate.py --records SCHEMA FOLDER...: so does each record in each FOLDER, and a broken copy of each does not."""
import copy
import json
import pathlib
import sys

import jsonschema


def load(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def broken_copies(record):
    for field, value in (("version", 2), ("verdict", "GOOD"), ("sample", 1000), ("run", "Not A Run"), ("difficulty", 0)):
        yield field, dict(record, **{field: value})
    for field in ("machine", "tier", "suites", "detail"):
        without = copy.deepcopy(record)
        del without[field]
        yield field, without
    if "noise" in record:
        yield "steal", dict(record, noise=dict(record["noise"], steal=2))
        yield "shapes", dict(record, shapes=[])
        yield "at_least", dict(record, speedup=dict(record["speedup"], at_least=-1))
    if record["verdict"] == "PASS" and record["stage"] != "compile":
        yield "seed", {key: value for key, value in record.items() if key != "seed"}


def check_records(validator, folder):
    paths = sorted(pathlib.Path(folder).glob("*.txt"))
    assert paths, f"{folder}: no record"
    for path in paths:
        record = json.loads(path.read_text(encoding="utf-8").splitlines()[0].removeprefix("assay: "))
        validator.validate(record)
        for field, broken in broken_copies(record):
            assert not validator.is_valid(broken), f"{path.name}: the schema accepts a broken '{field}'"


def check_report(validator, report):
    validator.validate(report)
    for field in list(report):
        broken = {key: value for key, value in report.items() if key != field}
        assert not validator.is_valid(broken), f"the schema accepts a report without '{field}'"


def main(arguments):
    records = arguments[0] == "--records"
    schema_path, *subjects = arguments[1:] if records else arguments
    schema = load(schema_path)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for subject in subjects:
        if records:
            check_records(validator, subject)
        else:
            check_report(validator, load(subject))


main(sys.argv[1:])
