// SPDX-License-Identifier: Apache-2.0
// Which backend tests the oracle does not claim to pass, and whose expected values are coarse, and why:
// scope.tsv.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One of the rows, fields separated by tabs; in a pattern, * is any run of characters; <sets> are names of
/// declared sets, separated by commas, each of which must meet the row:
///   set        <name>    <what it is>          declares a set of tests
///   operator   <sets>    <name>      <reason>  every test of a model that has the operator is out of scope
///   type       <sets>    <name>      <reason>  likewise, that has a value of the type: float8e4m3fn,
///   sequence test       <sets>    <pattern>   <reason>  these tests are out of scope tolerance  <sets>
///   <pattern>   <number>  <reason>
///                                     these tests allow |got - expected| <= number * max(1, |expected|)
struct ScopeRow {
  std::string kind;
  std::vector<std::string> sets;
  std::string pattern;
  double number = 0;
  std::string reason;
  int line = 0;
  mutable int uses = 0;
};

class Scope {
 public:
  /// The rows that name `set`: none for a set that the file does not declare, all of which is in scope.
  /// std::runtime_error (file:line: what, got, do) for a malformed row, one without a reason, one that takes
  /// all, and one that names a set that is not declared above it.
  static Scope read(const std::filesystem::path& path, const std::string& set);

  /// The row that puts the test out of scope, or nullptr.
  const ScopeRow* excludes(const std::string& test, const std::vector<std::string>& operators, const std::vector<std::string>& types) const;
  /// The number of the tolerance row that names the test.
  std::optional<double> tolerance(const std::string& test) const;
  /// Rows that no test has met: they hide nothing and should go.
  std::vector<const ScopeRow*> unused() const;

 private:
  std::vector<ScopeRow> rows_;
};

}  // namespace assay
