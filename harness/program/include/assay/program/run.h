// SPDX-License-Identifier: Apache-2.0
// A program of tests and a candidate, in one process or, in Python, in two, and what their end is worth.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assay/plan/plan.h"
#include "assay/problem/problem.h"
#include "assay/record/record.h"

namespace assay::program {

struct Ended {
  record::Verdict verdict = record::Verdict::harness_error;
  std::string detail;
  std::string output;  ///< the beginning and the end of what it printed: escape it
  record::Tier tier = record::Tier::none;
  double seconds = 0;                     ///< from before the process is made until it is gone, by the judge's clock
  std::vector<std::string> changes = {};  ///< where Call::changes has none: which arguments the solution has changed
  double range_seconds = 0;               ///< in the ranges of a timing_mode `region`, by the warden's; 0: it entered none
};

/// How a built program is called.
struct Call {
  std::string name;  ///< what messages call it: "test"
  std::vector<std::string> arguments;
  std::chrono::duration<double> limit;
  int threads = 4;                                  ///< OMP_NUM_THREADS: more than a small machine has cores, so that a race shows
  std::vector<int> cpus;                            ///< on which it runs; empty: any
  std::optional<std::vector<std::string>> changes;  ///< of a test in Python: the arguments that a solution may change; none: any
};

/// Throws NotSeparable.
Call test_call(const problem::Problem& problem);
/// On all of `cpus`, with a thread for each. Throws NotSeparable also where the benchmark calls another program.
Call benchmark_call(const problem::Problem& problem, std::vector<int> cpus);

/// Whether the test and a solution are one process: not where they are in Python and judged by our rule.
bool share_a_process(const plan::Plan& plan);

/// Bytes that are kept of what a program prints, half from its beginning and half from its end.
inline constexpr std::size_t kOutputKept = 16 * 1024;

/// Runs the built `program` in a fresh folder `work`. PASS is told by the token alone, which the warden gives back where
/// the test's main() has returned 0; in Python by the exit status of the test's process, which has no code of the solution.
Ended run_program(const plan::Plan& plan, const problem::Problem& problem, const std::filesystem::path& program, const Call& call,
                  const std::filesystem::path& work);

/// ComputeEval's own verdict: all files in one folder, its commands by a shell, and exit status 0. In the same sandbox, and so without
/// network and without the files of this machine.
Ended run_verbatim(const plan::Plan& plan, const problem::Problem& problem, const std::vector<problem::TextFile>& solution,
                   const std::filesystem::path& work);

}  // namespace assay::program
