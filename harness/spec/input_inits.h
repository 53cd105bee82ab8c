// SPDX-License-Identifier: Apache-2.0
// How inputs are drawn, as task.yaml says it.
#pragma once

#include <map>
#include <string>

#include "assay/spec/task.h"
#include "assay/spec/yaml_reader.h"

namespace assay::spec {

/// Of the input `spec` of `task`, whose model has been read. Throws SpecError.
InputInit read_init(const YamlFile& file, const YAML::Node& node, const std::string& who, const TensorSpec& spec, const Task& task);

/// Of several inputs, by name. Nothing where `node` is not there. Throws SpecError.
std::map<std::string, InputInit> read_inputs(const YamlFile& file, const YAML::Node& node, const std::string& who, const Task& task);

/// Throws SpecError where some draw of a case or of a timing shape cannot be met whatever the seed is, or breaks what the prompt promises.
void require_drawable(const Task& task);
void require_drawable(const Task& task, const Case& entry);

}  // namespace assay::spec
