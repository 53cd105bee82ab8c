// SPDX-License-Identifier: Apache-2.0
// The verdicts that a judge gives and the stages it gives them at. Every list of verdicts in the report is
// read from the one table in verdict.cpp.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace assay {

enum class Stage { compile, test, bench };

inline constexpr Stage all_stages[] = {Stage::compile, Stage::test, Stage::bench};

enum class Verdict {
  pass,
  compile_error,
  compile_timeout,
  wrong_result,
  out_of_bounds,
  input_modified,
  crash,
  timeout,
  memory_limit,
  policy,
  nondeterministic,
  suspect_fast,
  inconclusive,
  harness_error,
};

/// How one verdict is shown. `family` is a CSS class and picks the terminal colour; `glyph` marks a sample in
/// the matrix, so that no meaning hangs on colour alone.
struct VerdictInfo {
  Verdict verdict;
  std::string_view name;
  std::string_view family;
  std::string_view glyph;
  std::string_view meaning;
};

std::span<const VerdictInfo> all_verdicts();
const VerdictInfo& info(Verdict verdict);
std::string_view name(Verdict verdict);
std::string_view name(Stage stage);

std::optional<Verdict> verdict_named(std::string_view name);
std::optional<Stage> stage_named(std::string_view name);

/// True where the candidate itself is at fault: neither PASS nor INCONCLUSIVE nor HARNESS_ERROR.
bool is_failure(Verdict verdict);

}  // namespace assay
