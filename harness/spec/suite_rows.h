// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/spec/task.h"
#include "assay/spec/yaml_reader.h"

namespace assay::spec {

/// What a task says as `suites`, which may be nothing.
SuiteRows read_suite_rows(const YamlFile& file, const YAML::Node& node);

}  // namespace assay::spec
