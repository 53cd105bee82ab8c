// SPDX-License-Identifier: Apache-2.0
// A timing whose answer is known: the baseline against itself. Where it does not come out as 1, the machine cannot be
// believed that day.
#pragma once

#include "assay/plan/plan.h"

namespace assay::stages {

/// Times the plan's baseline against itself, prints `canary: {json}` as the first line and leaves the same JSON in `out`.
/// Whatever the ratio, that is a result; throws std::runtime_error where there is none.
void run_canary(const plan::Plan& plan, const std::filesystem::path& out);

}  // namespace assay::stages
