// SPDX-License-Identifier: Apache-2.0
// The three stages of a candidate and the fixtures that they need. Each prints its record first and returns an exit code:
// 0 PASS, 1 any other verdict, 3 HARNESS_ERROR.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/cases/random.h"
#include "assay/trial/plan.h"

namespace assay::stages {

/// Build step: compiles in the sandbox; leaves <prefix>.compile.json and, where it succeeds, <prefix>.so. Prints nothing
/// and returns 0 whatever the candidate is like. Where the harness fails it says so on stderr and in <prefix>.compile.failed,
/// and leaves no record, so that the next build compiles again.
int compile_candidate(const trial::Plan& plan, const trial::Candidate& candidate);

/// Of a candidate's files as they are now, and of those that were compiled last (empty where none were).
std::string source_fingerprint(const std::filesystem::path& source);
std::string compiled_source(const trial::Candidate& candidate);
/// The files themselves, one after the other, for people to read; why not, where they are no candidate.
std::string source_text(const std::filesystem::path& source);

/// Stage `compile`: the verdict and diagnostics that compile_candidate left.
int show_compilation(const trial::Plan& plan, const trial::Candidate& candidate);

/// Stage `test`: a GoogleTest program with one test for each correctness case; `flags` are GoogleTest's.
int test_candidate(const trial::Plan& plan, const trial::Candidate& candidate, const std::vector<std::string>& flags);

/// Stage `bench`: a Google Benchmark program with manual time; `flags` are Google Benchmark's.
int bench_candidate(const trial::Plan& plan, const trial::Candidate& candidate, const std::vector<std::string>& flags);

/// Fixture: draws the task's cases from `seed` (a fresh one where absent), evaluates the oracle, writes plan.cases.
int prepare_task(const trial::Plan& plan, std::optional<cases::Seed> seed);

}  // namespace assay::stages
