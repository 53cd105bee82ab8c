// SPDX-License-Identifier: Apache-2.0
// The build's step for each candidate.
#pragma once

#include <filesystem>
#include <functional>

#include "assay/compile/compile_record.h"
#include "assay/compile/scratch.h"
#include "assay/compile/source_files.h"
#include "assay/plan/candidate.h"
#include "assay/plan/plan.h"

namespace assay::compile {

/// Compiles in the sandbox; leaves <prefix>.compile.json and, where it succeeds, <prefix>.so. Prints nothing and returns 0
/// whatever the candidate is like. Where the harness fails it says so on stderr and in <prefix>.compile.failed, and leaves no
/// record, so that the next build compiles again.
int compile_candidate(const plan::Plan& plan, const plan::Candidate& candidate);

/// Makes what is run of `sources`, which have no fault, in `scratch`; says in `made` what came of it. Where that is a PASS, the file to be
/// kept is returned. A failure of ours is an exception.
using Make = std::function<std::filesystem::path(const SourceFiles& sources, const Scratch& scratch, StoredCompilation& made)>;

/// The same with another way of making it.
int compile_candidate(const plan::Plan& plan, const plan::Candidate& candidate, const Make& make);

}  // namespace assay::compile
