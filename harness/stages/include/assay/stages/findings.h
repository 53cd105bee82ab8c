// SPDX-License-Identifier: Apache-2.0
// From what single cases show to the verdict and the errors of a test's record. Pure functions of comparisons.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "assay/cases/expected.h"
#include "assay/record/record.h"
#include "assay/trial/trial.h"

namespace assay::stages {

/// Each case is called so often on the same inputs.
inline constexpr int kCallsPerCase = 2;

/// The calls of one case.
struct CalledCase {
  std::array<cases::Comparison, kCallsPerCase> calls;
  bool repeats = true;  ///< all gave the same bits
};

/// What the cases of one candidate have found so far.
class Findings {
 public:
  /// A message where the case fails, empty where it passes.
  std::string add(const CalledCase& called);
  /// The same of a case without a result: the candidate failed for good, no other case is called.
  std::string stop(const trial::FailedLaunch& failed);

  bool stopped() const { return stopped_; }
  /// Whether all of so many cases passed, and there was one.
  bool all_passed(std::size_t planned) const { return passed_ == planned && passed_ > 0; }
  /// Verdict, errors, repeatable, and how many of the planned cases passed.
  void fill(record::Record& record, std::size_t planned) const;

 private:
  std::string note(record::Verdict verdict, std::string detail);
  void keep_worst(const cases::Comparison& comparison);

  record::Verdict verdict_ = record::Verdict::pass;
  std::string detail_;
  bool stopped_ = false;
  bool repeatable_ = true;
  std::size_t passed_ = 0;
  double max_abs_ = 0, max_rel_ = 0;
  std::optional<cases::Comparison> worst_;  ///< a wrong one before a right one, else the nearest to its bound
};

}  // namespace assay::stages
