// SPDX-License-Identifier: Apache-2.0
// What a compilation leaves: <prefix>.compile.json and, where it passed, the library that this record speaks
// of. Both are there whole, and of one compilation, or the record is not there and the build makes it again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "assay/compile/compile_record.h"
#include "assay/plan/candidate.h"
#include "assay/spec/descriptor.h"

namespace assay::compile {

/// Builds that run at once take turns in a candidate's folder. Where the file system knows no locks they do not.
class Turn {
 public:
  explicit Turn(const plan::Candidate& candidate);
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  spec::Descriptor folder_;
};

/// Puts `compilation` in place of the last one, with `library` (moved) unless that is empty. Throws
/// std::runtime_error.
void keep_compilation(const plan::Candidate& candidate, StoredCompilation compilation, const std::filesystem::path& library);

/// Takes the last one away, its folders repaired where they must be. Throws std::runtime_error where that is not permitted.
void forget_compilation(const plan::Candidate& candidate);

/// Its device is the one that this test has been allotted. Throws std::runtime_error where there is none, or not a whole one.
StoredCompilation load_compilation(const plan::Candidate& candidate);

/// The fingerprint of the sources that were compiled last; empty where none were.
std::string compiled_source(const plan::Candidate& candidate);

/// The library that passed the compile stage, watched while it is used.
class PassedLibrary {
 public:
  /// Throws std::runtime_error unless the library is there and is the one that passed.
  explicit PassedLibrary(const plan::Candidate& candidate);
  PassedLibrary(const PassedLibrary&) = delete;
  PassedLibrary& operator=(const PassedLibrary&) = delete;
  /// Where the library is a device's binary: what it was compiled from and for.
  const std::optional<plan::DeviceCode>& device_code() const { return device_code_; }
  /// The same, for the record of a stage.
  std::optional<record::Device> device() const { return device_code_ ? std::optional(device_code_->device) : std::nullopt; }
  /// Throws std::runtime_error where another has taken its place since.
  void require_unchanged() const;

 private:
  std::filesystem::path file_;
  spec::Descriptor opened_;  ///< that file, so that no other can have its number
  std::string fingerprint_;
  std::optional<plan::DeviceCode> device_code_;
};

}  // namespace assay::compile
