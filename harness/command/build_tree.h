// SPDX-License-Identifier: Apache-2.0
// A configured build tree, as its commands see it: which candidates it has, and the results that it keeps.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "assay/report/kept.h"

namespace assay::command {

class BuildTree {
 public:
  /// Throws std::runtime_error where `folder` is no build tree that this version has configured.
  explicit BuildTree(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path results_folder() const { return folder_ / "results"; }
  /// Source by name of the sample.
  const std::map<std::string, std::filesystem::path>& candidates() const { return candidates_; }
  /// Reads every candidate's files.
  report::DeclaredSamples declared() const;
  std::vector<results::KeptResult> results() const { return results::read_results(results_folder()); }
  /// Throws std::runtime_error where nothing is kept.
  report::KeptEvaluation evaluation(bool with_gone) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::filesystem::path> candidates_;
};

}  // namespace assay::command
