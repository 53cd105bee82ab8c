// SPDX-License-Identifier: Apache-2.0
// `compute:` of task.yaml: the 16-bit type that results of the model's operators are rounded to where they arise.
#pragma once

#include <optional>

#include "assay/spec/task.h"
#include "assay/spec/yaml_reader.h"

namespace assay::spec {

/// What `node` says; nothing where it is missing.
std::optional<ElementType> read_compute(const YamlFile& file, const YAML::Node& node);

/// Fails where the model that has been read gives `compute` nothing to round, or where another key says otherwise.
void require_computable(const YamlFile& file, const YAML::Node& root, const Task& task);

}  // namespace assay::spec
