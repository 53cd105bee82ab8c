// SPDX-License-Identifier: Apache-2.0
// A task's dimensions: which there are, and whether what follows from them is a number wherever cases and timing take them.
#pragma once

#include "assay/spec/task.h"
#include "assay/spec/yaml_reader.h"

namespace assay::spec {

/// Far above what any machine holds, and far below where sums and products of a few extents overflow.
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 40;

/// Finds the dimensions of the task's model; `dims` is what task.yaml has of that name. Throws SpecError: a bad extent, or an
/// expression that names no dimension.
void list_dims(const YamlFile& file, const YAML::Node& model, const YAML::Node& dims, Task& task);

/// Throws SpecError where an expression of the model has no value at some extents of `ranges`, which `who` names.
void require_values(const Task& task, const DimRanges& ranges, const std::string& who);

/// Of every input at the largest extents that a case or a timing may draw: what does not fit 64 bits fits no machine.
void require_countable(const YamlFile& file, const Task& task);

}  // namespace assay::spec
