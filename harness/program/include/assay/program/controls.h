// SPDX-License-Identifier: Apache-2.0
// Solutions that solve nothing. A problem whose test passes one of them is vacuous: its verdicts say nothing.
#pragma once

#include <string>
#include <vector>

#include "assay/plan/plan.h"
#include "assay/problem/problem.h"
#include "assay/program/build.h"
#include "assay/record/record.h"

namespace assay::program {

struct Control {
  std::string name;  ///< "reference", "idle", "empty"
  record::Verdict verdict = record::Verdict::harness_error;
  std::string detail;
  std::vector<std::string> changes;  ///< Ended::changes
};

struct Controls {
  std::vector<Control> runs;
  bool vacuous = false;
  std::string why;                   ///< in words, where it is vacuous
  std::vector<std::string> changes;  ///< of a problem in Python: which arguments the reference changes, and so a solution may
};

/// The reference with the bodies of its functions emptied: nothing is done, and what is returned is a value of its type. Empty where not
/// all functions of `api` have been found in it.
std::vector<problem::TextFile> emptied(const problem::Problem& problem, const std::vector<std::string>& api);

/// Runs the reference, functions that return 0 at once, and emptied ones; keeps what came of it in plan.task.cases. Throws
/// std::runtime_error where the reference does not pass: then nobody can be judged by this test here.
Controls run_controls(const plan::Plan& plan);

/// Of all that decides what a problem's own solutions give: its files, its test's object, this program.
std::string basis_of(const plan::Plan& plan);

/// What the last run_controls() kept. Throws std::runtime_error where it is not there.
Controls load_controls(const plan::Plan& plan);

}  // namespace assay::program
