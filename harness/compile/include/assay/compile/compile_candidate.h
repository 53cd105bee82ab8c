// SPDX-License-Identifier: Apache-2.0
// The build's step for each candidate.
#pragma once

#include "assay/plan/candidate.h"
#include "assay/plan/plan.h"

namespace assay::compile {

/// Compiles in the sandbox; leaves <prefix>.compile.json and, where it succeeds, <prefix>.so. Prints nothing and returns 0
/// whatever the candidate is like. Where the harness fails it says so on stderr and in <prefix>.compile.failed, and leaves no
/// record, so that the next build compiles again.
int compile_candidate(const plan::Plan& plan, const plan::Candidate& candidate);

}  // namespace assay::compile
