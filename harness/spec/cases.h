// SPDX-License-Identifier: Apache-2.0
// What a task gets without saying so: the usual correctness cases, and how inputs are drawn by default.
#pragma once

#include "assay/spec/task.h"

namespace assay {

/// Smallest extents; tails just below and above a power of two; special values; three drawn ones.
std::vector<Case> usual_cases(const Task& task);

/// Standard normal for reals, small integers, fair coins.
InputInit default_init(ElementType type);

}  // namespace assay
