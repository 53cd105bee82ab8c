// SPDX-License-Identifier: Apache-2.0
// The stages of program tasks, which bring their own tests.
#pragma once

#include "assay/plan/candidate.h"
#include "assay/plan/plan.h"

namespace assay::stages {

/// Fixture: runs the reference and solutions that solve nothing (program/controls.h).
void prepare_program(const plan::Plan& plan);

/// Fixture of the stage bench: the reference's programs (program/benchmark.h).
void prepare_program_timing(const plan::Plan& plan);

/// Stage `test`: the program of tests with the candidate in it, run whole.
int test_program(const plan::Plan& plan, const plan::Candidate& candidate);

/// Stage `bench`: the benchmark with the candidate in it, in turns with the reference's.
int bench_program(const plan::Plan& plan, const plan::Candidate& candidate);

}  // namespace assay::stages
