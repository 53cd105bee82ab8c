// SPDX-License-Identifier: Apache-2.0
// A task's defaults: the usual correctness cases, and how inputs are drawn.
#pragma once

#include "assay/spec/task.h"

namespace assay::spec {

/// Smallest extents; tails just below and above a power of two; classes of values; the largest extents; each dimension as large
/// as it is timed; three drawn ones.
std::vector<Case> usual_cases(const Task& task);

/// For each dimension that varies, but is below 131 in every case of the task and wherever a processor is timed, one case where it is not:
/// buffers of a fixed size and indices of 8 bits end before. Its shapes and draws may be none that the task has.
std::vector<Case> long_cases(const Task& task);

/// The classes of values that the slices of an input of kind `mixed` have.
std::vector<InputInit> mixed_classes(ElementType type);

/// Inputs of the probes of a timed launch: a kernel may be wrong on these though it is right on the task's own distribution. They
/// have no dims. Those of the cases special, log_uniform and largest are what the task makes of these cases: one that says why infinities
/// will not do means it here, too. Empty where the task gives every input a distribution of its own.
std::vector<Case> probes(const Task& task);

/// Standard normal for reals, small integers, fair coins.
InputInit default_init(ElementType type);
/// Whether another distribution of reals would do: the task asks for no more than a normal one.
bool is_drawn_normal(const Task& task, const TensorSpec& input);

}  // namespace assay::spec
