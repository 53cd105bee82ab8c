// SPDX-License-Identifier: Apache-2.0
#include "assay/report/verdict.h"

#include <algorithm>
#include <array>

namespace assay {

namespace {

constexpr std::array verdicts = {
    VerdictInfo{Verdict::pass, "PASS", "pass", "✓", "compiled, and every output was within its bound"},
    VerdictInfo{Verdict::compile_error, "COMPILE_ERROR", "compile", "C", "the compiler or linker refused it"},
    VerdictInfo{Verdict::compile_timeout, "COMPILE_TIMEOUT", "compile", "c", "the compiler ran out of time"},
    VerdictInfo{Verdict::wrong_result, "WRONG_RESULT", "wrong", "W", "an output was outside its bound"},
    VerdictInfo{Verdict::out_of_bounds, "OUT_OF_BOUNDS", "memory", "O",
                "it touched memory beyond its buffers"},
    VerdictInfo{Verdict::input_modified, "INPUT_MODIFIED", "memory", "I", "it wrote to an input"},
    VerdictInfo{Verdict::crash, "CRASH", "memory", "X", "it died of a signal"},
    VerdictInfo{Verdict::timeout, "TIMEOUT", "limit", "T", "it did not return in time"},
    VerdictInfo{Verdict::memory_limit, "MEMORY_LIMIT", "limit", "M", "it asked for too much memory"},
    VerdictInfo{Verdict::policy, "POLICY", "trust", "P", "it tried what the sandbox forbids"},
    VerdictInfo{Verdict::nondeterministic, "NONDETERMINISTIC", "trust", "N",
                "equal inputs gave other outputs"},
    VerdictInfo{Verdict::suspect_fast, "SUSPECT_FAST", "trust", "S", "faster than the machine can be"},
    VerdictInfo{Verdict::inconclusive, "INCONCLUSIVE", "unsure", "~",
                "correct, but its timing settled nothing"},
    VerdictInfo{Verdict::harness_error, "HARNESS_ERROR", "harness", "!", "our fault; counts for nothing"},
};

constexpr std::array<std::string_view, 3> stage_names = {"compile", "test", "bench"};

}  // namespace

std::span<const VerdictInfo> all_verdicts() { return verdicts; }

const VerdictInfo& info(Verdict verdict) {
  return *std::find_if(verdicts.begin(), verdicts.end(), [&](const auto& v) { return v.verdict == verdict; });
}

std::string_view name(Verdict verdict) { return info(verdict).name; }

std::string_view name(Stage stage) { return stage_names[static_cast<std::size_t>(stage)]; }

std::optional<Verdict> verdict_named(std::string_view name) {
  for (const auto& v : verdicts)
    if (v.name == name) return v.verdict;
  return std::nullopt;
}

std::optional<Stage> stage_named(std::string_view name) {
  for (Stage stage : all_stages)
    if (assay::name(stage) == name) return stage;
  return std::nullopt;
}

bool is_failure(Verdict verdict) {
  return verdict != Verdict::pass && verdict != Verdict::inconclusive && verdict != Verdict::harness_error;
}

}  // namespace assay
