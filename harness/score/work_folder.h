// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "assay/spec/descriptor.h"

namespace assay::score {

/// <root>/work.<drawn letters>: what this process leaves while it works, and nobody else may read. It goes with the object; those of
/// processes that were killed go when the next one comes.
class WorkFolder {
 public:
  /// Throws std::runtime_error where none can be made.
  explicit WorkFolder(const std::filesystem::path& root);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  spec::Descriptor lock_;  ///< held as long as it is in use
};

}  // namespace assay::score
