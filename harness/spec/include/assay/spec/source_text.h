// SPDX-License-Identifier: Apache-2.0
// The text of a candidate on its way to a folder: from a model's answer, or from a sample that is to be scored.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace assay::spec {

/// The one file of a candidate, which has no name, or several by their names.
class SourceText {
 public:
  using Files = std::map<std::string, std::string>;

  SourceText() = default;
  SourceText(std::string text);  // NOLINT(google-explicit-constructor): most candidates are one text
  /// Throws std::runtime_error where a name may be no file's.
  explicit SourceText(Files files);

  /// By name; the one without a name has the key "". Empty: there is no candidate.
  const Files& files() const { return files_; }
  /// Of the one file without a name; empty where there is none.
  std::string_view text() const;
  std::size_t bytes() const;  ///< of all files
  std::string digest() const;
  /// Writes <folder>/source<suffix>, or <folder>/source/<name> of each. Returns the file or the folder. Throws std::runtime_error.
  std::filesystem::path write(const std::filesystem::path& folder, const std::string& suffix) const;

 private:
  Files files_;
};

/// Why a candidate may have no file of this name ("begins with '.' or '-'"); empty where it may. A folder is no part of a name.
std::string why_no_file(std::string_view name);

}  // namespace assay::spec
