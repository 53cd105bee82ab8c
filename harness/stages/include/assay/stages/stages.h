// SPDX-License-Identifier: Apache-2.0
// The stages of a candidate and the fixtures that they need. Each prints its record first and returns an exit code:
// 0 PASS, 1 any other verdict, 3 HARNESS_ERROR.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/cases/random.h"
#include "assay/plan/candidate.h"
#include "assay/plan/plan.h"
#include "assay/record/record.h"

namespace assay::stages {

struct CompileOutcome {
  record::Record record;
  std::string diagnostics;  ///< harmless(), and cut
};
/// The verdict and diagnostics that assay-compile left.
CompileOutcome compile_outcome(const plan::Plan& plan, const plan::Candidate& candidate);

/// Stage `compile`: prints that outcome.
int show_compilation(const plan::Plan& plan, const plan::Candidate& candidate);

/// Stage `test`: a GoogleTest program with one test for each correctness case; `flags` are GoogleTest's. `arrives` is called when the cases
/// have been read, before the candidate is looked at.
int test_candidate(const plan::Plan& plan, const plan::Candidate& candidate, const std::vector<std::string>& flags,
                   const std::function<void()>& arrives = {});

/// Stage `bench`: a Google Benchmark program with manual time; `flags` are Google Benchmark's.
int bench_candidate(const plan::Plan& plan, const plan::Candidate& candidate, const std::vector<std::string>& flags);

/// Fixture: draws the task's cases from `seed` (a fresh one where absent), evaluates the oracle, writes plan.task.cases.
void prepare_cases(const plan::Plan& plan, std::optional<cases::Seed> seed);

/// Fixture of the stage bench: draws the timing shapes, learns the bounds there, writes plan.task.timing().
void prepare_timing(const plan::Plan& plan, std::optional<cases::Seed> seed);

}  // namespace assay::stages
