// SPDX-License-Identifier: Apache-2.0
// Outputs of which there is no single right one: a task's harness/verify.cpp names residuals and their bounds.
//
// It runs on the judge's side, in a child process of the judge: what it does on bytes that a candidate has chosen can neither hold up
// the judge nor end it. Where it throws, crashes, finds NaN or does not end, the right outputs of the same case decide who is to blame:
// if it fails on these as well, the task is; else the outputs are such that nobody can call them right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/cases/expected.h"

namespace assay::cases {

struct Residual {
  std::string name;
  double value = 0, bound = 0;
};

struct Verification {
  std::vector<Residual> residuals;
  std::string refused;  ///< why the outputs cannot be right whatever the residuals are
  std::string failure;  ///< what verify.cpp did instead of an answer
};

class Verifier {
 public:
  /// nullptr where the task has no verify.cpp.
  static std::shared_ptr<const Verifier> of(const spec::Task& task);

  /// Whether `outputs` of the case are right.
  Comparison judge(const PreparedCase& prepared, const std::vector<Bytes>& outputs) const;
  /// What verify.cpp says of them, whoever is to blame.
  Verification ask(const PreparedCase& prepared, const std::vector<Bytes>& outputs) const;
  /// The right outputs as ASSAY_ANOTHER changes them; nothing where the task has none. std::runtime_error where it fails.
  std::optional<std::vector<Bytes>> another(const PreparedCase& prepared) const;

  const std::string& file() const { return file_; }

 private:
  Verifier() = default;
  std::string file_, library_;
  std::vector<spec::TensorSpec> inputs_;
};

/// The oracle's outputs, as a kernel stores them.
std::vector<Bytes> right_outputs(const PreparedCase& prepared);

}  // namespace assay::cases
