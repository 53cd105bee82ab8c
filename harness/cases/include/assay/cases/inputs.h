// SPDX-License-Identifier: Apache-2.0
// Draws a case's dimensions and inputs from a seed: the same bytes on every machine (integer arithmetic and exactly
// rounded operations alone, no library functions).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "assay/cases/random.h"
#include "assay/oracle/operator.h"
#include "assay/spec/task.h"

namespace assay::cases {

using Bytes = oracle::Elements<std::byte>;

/// One extent for each of the case's dimensions.
std::map<std::string, std::int64_t> draw_dims(const spec::Case& entry, const Seed& seed);

/// The task's shapes for timing on `target` ("cpu", "gpu"), with every range drawn; none where it has no such timing.
std::vector<std::map<std::string, std::int64_t>> draw_timing_shapes(const spec::Task& task, const std::string& target, const Seed& seed);

/// One input's elements, row-major, as the candidate gets them; init names no other input. std::invalid_argument where init and type
/// do not fit, or the draw cannot be met.
Bytes draw_input(const spec::TensorSpec& spec, const spec::Shape& shape, const spec::InputInit& init,
                 const std::map<std::string, std::int64_t>& dims, oracle::Specials policy, RandomStream random);

/// All inputs of `task` at `dims`; `overrides` are a case's own. Each has a stream of its own; one that names another is drawn after it.
std::vector<Bytes> draw_inputs(const spec::Task& task, const std::map<std::string, spec::InputInit>& overrides,
                               const std::map<std::string, std::int64_t>& dims, const Seed& seed, const std::string& stream);

}  // namespace assay::cases
