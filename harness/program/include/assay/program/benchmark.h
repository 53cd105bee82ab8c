// SPDX-License-Identifier: Apache-2.0
// What a candidate's benchmark is timed against.
#pragma once

#include <filesystem>
#include <optional>

#include "assay/plan/plan.h"
#include "assay/problem/problem.h"
#include "assay/program/run.h"

namespace assay::program {

/// Programs of the reference solution, in test_folder().
struct TimedReference {
  std::filesystem::path program;
  std::filesystem::path start;  ///< with a main() that returns at once
};

/// Builds them, and runs the benchmark once, unless that was done for the same files. Throws std::runtime_error where the reference does
/// not pass its own benchmark: that is the problem's fault, or this machine's.
void prepare_benchmark(const plan::Plan& plan);

/// What the last prepare_benchmark() left. Throws std::runtime_error where it is not there.
TimedReference load_benchmark(const plan::Plan& plan);

/// What of a run that passed is timed, by the problem's timing_mode: the whole process, or its ranges. nullopt: it entered none.
std::optional<double> timed_seconds(const problem::Problem& problem, const Ended& ended);

}  // namespace assay::program
