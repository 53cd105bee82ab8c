// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/spec/task.h"
#include "yaml_reader.h"

namespace assay {

/// The key `suites` of a task.yaml.
SuiteRows read_suite_rows(const YamlFile& file);

}  // namespace assay
