// SPDX-License-Identifier: Apache-2.0
// The tasks and backends that a configured build tree knows.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "assay/score/scorer.h"

namespace assay::score {

class Catalogue {
 public:
  /// Throws std::runtime_error where `build` is no build folder that this version has configured, or knows no task.
  explicit Catalogue(std::filesystem::path build);

  const std::filesystem::path& build() const { return build_; }
  const std::map<std::string, TaskInfo>& tasks() const { return tasks_; }
  /// Throws SampleError where the task is unknown, or takes no candidates of the backend.
  void require(const std::string& task, const std::string& backend) const;
  /// The plan that CMake wrote.
  std::filesystem::path plan(const std::string& task, const std::string& backend) const;

 private:
  std::filesystem::path build_;
  std::map<std::string, TaskInfo> tasks_;
};

}  // namespace assay::score
