// SPDX-License-Identifier: Apache-2.0
// Which backend tests the oracle does not claim to pass, and whose expected values are coarse, and why:
// scope.tsv.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One of the rows, fields separated by tabs; in a pattern, * is any run of characters:
///   operator   <name>     <reason>           every test of a model that has the operator is out of scope
///   test       <pattern>  <reason>           these tests are out of scope
///   tolerance  <pattern>  <number> <reason>  these tests allow |got - expected| <= number * max(1,
///   |expected|)
struct ScopeRow {
  std::string kind;
  std::string pattern;
  double number = 0;
  std::string reason;
  int line = 0;
  mutable int uses = 0;
};

class Scope {
 public:
  /// std::runtime_error (file:line: what, got, do) for a malformed row, a row without a reason or one that
  /// takes all.
  static Scope read(const std::filesystem::path& path);

  /// The row that puts the test out of scope, or nullptr.
  const ScopeRow* excludes(const std::string& test, const std::vector<std::string>& operators) const;
  /// The number of the tolerance row that names the test.
  std::optional<double> tolerance(const std::string& test) const;
  /// Rows that no test has met: they hide nothing and should go.
  std::vector<const ScopeRow*> unused() const;

 private:
  std::vector<ScopeRow> rows_;
};

}  // namespace assay
