// SPDX-License-Identifier: Apache-2.0
// Folders that a compiler or a driver wrote to, with a candidate's say in what they hold.
#pragma once

#include <filesystem>

#include "assay/plan/candidate.h"
#include "assay/spec/descriptor.h"

namespace assay::compile {

/// Removes a folder and all in it, or a file: also folders without permissions, and any number of them one inside the other.
/// No link is followed. What is not there is fine. Throws std::runtime_error naming it where something stays.
void remove_tree(const std::filesystem::path& path);

/// Removes a folder that its process, which was killed, left; one that a living process has locked stays. So does what cannot be removed,
/// which is said on stderr.
void remove_if_left(const std::filesystem::path& folder);

/// A folder for one compilation. A living one is locked, so that it is told from what a killed compilation left.
class Scratch {
 public:
  /// Throws std::runtime_error where none can be made.
  explicit Scratch(const plan::Candidate& candidate);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Removes what it holds.
  void empty() const;

 private:
  std::filesystem::path path_;
  spec::Descriptor lock_;
};

}  // namespace assay::compile
