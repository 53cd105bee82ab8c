// SPDX-License-Identifier: Apache-2.0
// What a task gets without saying so: the usual correctness cases, and how inputs are drawn by default.
#pragma once

#include "assay/spec/task.h"

namespace assay {

/// Smallest extents; tails just below and above a power of two; classes of values; the largest extents; each dimension as large
/// as it is timed; three drawn ones.
std::vector<Case> usual_cases(const Task& task);

/// What the slices of an input of kind `mixed` are dealt.
std::vector<InputInit> mixed_classes(ElementType type);

/// Inputs that a kernel may be wrong on though it is right on the task's own: what some calls of a timed launch get. Without
/// dims; none where every input has a distribution of its own.
std::vector<Case> probes(const Task& task);

/// Standard normal for reals, small integers, fair coins.
InputInit default_init(ElementType type);

}  // namespace assay
