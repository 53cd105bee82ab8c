// SPDX-License-Identifier: Apache-2.0
// A program that is timed against itself: what a canary and the benchmark `aa` do.
#pragma once

#include <functional>

#include "assay/plan/plan.h"
#include "assay/timing/paired_timing.h"

namespace assay::timing {

/// A program against itself on the plan's task: launches of so many pairs of its first timing shape, until those so far are `enough`.
ShapeTimes time_against_itself(const plan::Plan& plan, const trial::BoxProgram& program, const sandbox::Processors& processors,
                               const cases::Seed& seed, int pairs, const std::function<bool(const LogRatios&)>& enough);

}  // namespace assay::timing
