// SPDX-License-Identifier: Apache-2.0
// One call of a task's verify.cpp in a process of its own, which ends with it.
#pragma once

#include <vector>

#include "assay/cases/verifier.h"
#include "assay/oracle/task_library.h"

namespace assay::cases {

/// Seconds that one call may take; a child that takes more is killed.
inline constexpr int kVerifySeconds = 10;

/// std::runtime_error where there is no process to be had.
Verification verify_in_child(oracle::HarnessEntry entry, std::vector<oracle::HarnessTensor>& inputs,
                             std::vector<oracle::HarnessTensor>& outputs);

}  // namespace assay::cases
