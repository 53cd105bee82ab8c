// SPDX-License-Identifier: Apache-2.0
#include "assay/judge/record.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "assay/judge/machine.h"
#include "assay/results/kept_result.h"
#include "assay/spec/printable.h"

namespace assay {
namespace {

constexpr std::size_t kLongestDetail = 2000;  // bytes

/// Whether `text` continues with `word`, in any case: as CMake's regular expressions for CTest's markup do.
bool starts_with_word(std::string_view text, std::string_view word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return text.size() >= word.size() && std::ranges::equal(text.substr(0, word.size()), word, {}, lower);
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "PASS";
    case Verdict::compile_error: return "COMPILE_ERROR";
    case Verdict::compile_timeout: return "COMPILE_TIMEOUT";
    case Verdict::wrong_result: return "WRONG_RESULT";
    case Verdict::out_of_bounds: return "OUT_OF_BOUNDS";
    case Verdict::input_modified: return "INPUT_MODIFIED";
    case Verdict::crash: return "CRASH";
    case Verdict::timeout: return "TIMEOUT";
    case Verdict::memory_limit: return "MEMORY_LIMIT";
    case Verdict::policy: return "POLICY";
    case Verdict::nondeterministic: return "NONDETERMINISTIC";
    case Verdict::suspect_fast: return "SUSPECT_FAST";
    case Verdict::inconclusive: return "INCONCLUSIVE";
    case Verdict::harness_error: break;
  }
  return "HARNESS_ERROR";
}

bool is_verdict(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(Verdict::harness_error); ++i)
    if (text == to_string(static_cast<Verdict>(i))) return true;
  return false;
}

Record make_record(const Plan& plan, const Candidate& candidate, const std::string& stage) {
  Record record{{"version", 1},
                {"run", candidate.run},
                {"task", plan.task},
                {"category", plan.category},
                {"backend", plan.backend},
                {"sample", candidate.sample},
                {"stage", stage},
                {"verdict", to_string(Verdict::harness_error)},
                {"detail", "the stage did not finish"},
                {"difficulty", plan.difficulty},
                {"suites", plan.suites},
                {"tier", "none"},
                {"machine", machine_fingerprint()}};
  if (!plan.profile.empty()) record["profile"] = plan.profile;
  return record;
}

void set_verdict(Record& record, Verdict verdict, const std::string& detail) {
  record["verdict"] = to_string(verdict);
  record["detail"] = cut_to(harmless(detail), kLongestDetail);
}

nlohmann::json finite_or_null(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

std::string harmless(const std::string& text) {
  const std::string clean = printable_lines(text);
  std::string apart;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    apart += clean[i];
    const std::string_view rest = std::string_view(clean).substr(i + 1);
    if (clean[i] != '<') continue;
    const bool closes = rest.starts_with('/');
    const std::string_view name = rest.substr(closes ? 1 : 0);
    if (!starts_with_word(name, "ctest") && !starts_with_word(name, "dart")) continue;
    apart += closes ? "/_" : "_";
    i += closes ? 1 : 0;
  }
  return apart;
}

std::string record_line(const Record& record) {
  std::string text = record.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6) text.replace(at, 1, "\\u003c");
  return text;
}

/// What cannot be kept is printed all the same: the verdict stands.
static void keep_result(const Record& record, const std::string& text, ResultFile& kept) try {
  kept.finish(record_line(record), harmless(text), exit_code(record));
} catch (const std::runtime_error& error) {
  std::printf("the result is not kept: %s\n", harmless(error.what()).c_str());
}

void print_result(const Record& record, const std::string& text, ResultFile* kept) {
  std::printf("assay: %s\n%s", record_line(record).c_str(), harmless(text).c_str());
  if (!text.empty() && text.back() != '\n') std::putchar('\n');
  if (kept != nullptr) keep_result(record, text, *kept);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::runtime_error("the record cannot be printed: the disk or pipe takes no more");
}

int exit_code(const Record& record) {
  const auto verdict = record.at("verdict").get<std::string>();
  if (verdict == to_string(Verdict::pass)) return 0;
  return verdict == to_string(Verdict::harness_error) ? 3 : 1;
}

}  // namespace assay
