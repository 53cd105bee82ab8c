// SPDX-License-Identifier: Apache-2.0
// Which backend tests the oracle does not claim to pass, and why: scope.tsv, one row per operator or group of tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// A row "operator<TAB>name<TAB>reason" or "test<TAB>pattern<TAB>reason"; in a pattern, * is any run of characters.
struct ScopeRow {
  std::string kind;
  std::string pattern;
  std::string reason;
  int line = 0;
  mutable int uses = 0;
};

class Scope {
 public:
  /// std::runtime_error (file:line: what, got, do) for a malformed row, a row without a reason or one that takes all.
  static Scope read(const std::filesystem::path& path);

  /// The row that puts the test out of scope, or nullptr.
  const ScopeRow* excludes(const std::string& test, const std::vector<std::string>& operators) const;
  /// Rows that no test has met: they hide nothing and should go.
  std::vector<const ScopeRow*> unused() const;

 private:
  std::vector<ScopeRow> rows_;
};

}  // namespace assay
