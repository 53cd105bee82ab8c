// SPDX-License-Identifier: Apache-2.0
// The verdicts that a judge gives. Everything that lists them reads the one table below: the judge, the report, and the JSON
// schemas, which CMake writes from the table's rows.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay::record {

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

/// In the order of the enumeration.
inline constexpr std::array all_verdicts = {
    VerdictInfo{Verdict::pass, "PASS", "pass", "✓", "compiled, and every output was within its bound"},
    VerdictInfo{Verdict::compile_error, "COMPILE_ERROR", "compile", "C", "the compiler or linker refused it"},
    VerdictInfo{Verdict::compile_timeout, "COMPILE_TIMEOUT", "compile", "c", "the compiler ran out of time"},
    VerdictInfo{Verdict::wrong_result, "WRONG_RESULT", "wrong", "W", "an output was outside its bound"},
    VerdictInfo{Verdict::out_of_bounds, "OUT_OF_BOUNDS", "memory", "O", "it touched memory beyond its buffers"},
    VerdictInfo{Verdict::input_modified, "INPUT_MODIFIED", "memory", "I", "it wrote to an input"},
    VerdictInfo{Verdict::crash, "CRASH", "memory", "X", "it died of a signal"},
    VerdictInfo{Verdict::timeout, "TIMEOUT", "limit", "T", "it did not return in time"},
    VerdictInfo{Verdict::memory_limit, "MEMORY_LIMIT", "limit", "M", "it asked for too much memory"},
    VerdictInfo{Verdict::policy, "POLICY", "trust", "P", "it tried what the sandbox forbids"},
    VerdictInfo{Verdict::nondeterministic, "NONDETERMINISTIC", "trust", "N", "equal inputs gave other outputs"},
    VerdictInfo{Verdict::suspect_fast, "SUSPECT_FAST", "trust", "S", "faster than the machine can be"},
    VerdictInfo{Verdict::inconclusive, "INCONCLUSIVE", "unsure", "~", "correct, but its timing settled nothing"},
    VerdictInfo{Verdict::harness_error, "HARNESS_ERROR", "harness", "!", "our fault; counts for nothing"},
};

const VerdictInfo& info(Verdict verdict);
std::string_view name(Verdict verdict);
std::optional<Verdict> verdict_named(std::string_view name);

/// True where the candidate itself is at fault: neither PASS nor INCONCLUSIVE nor HARNESS_ERROR.
bool is_failure(Verdict verdict);

/// Of a program that has given `verdict`: 0 for PASS, 3 for HARNESS_ERROR, 1 for every other.
int exit_code(Verdict verdict);

}  // namespace assay::record
