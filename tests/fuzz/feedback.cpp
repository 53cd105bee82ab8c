// SPDX-License-Identifier: Apache-2.0
// What a model is told: short, safe to show, no line of a file that is not the candidate's, and of a run nothing that a candidate says.
#include <algorithm>

#include "assay/score/answer.h"
#include "property.h"
#include "shown.h"

namespace assay::feedback_target {
namespace {

constexpr std::size_t kMost = 6200;

score::Answer answer_of(record::Stage stage, record::Verdict verdict, const std::string& text) {
  score::Answer answer;
  answer.records.emplace_back();
  answer.records.back().stage = stage;
  record::set_verdict(answer.records.back(), verdict, text);
  answer.diagnostics = text;
  return answer;
}

void check_compilation(const std::string& text) {
  const std::string told = feedback_of(answer_of(record::Stage::compile, record::Verdict::compile_error, text));
  require(told.size() <= kMost, "feedback is short", told);
  require(dangerous(told).empty(), "feedback is safe to show", told);
}

/// As a compiler quotes a file that was included, in a sandbox that does not hide it.
std::string told_of_included(const std::string& line) {
  return feedback_of(
      answer_of(record::Stage::compile, record::Verdict::compile_error, "/etc/passwd:1:1: error: " + line + "\n    1 | " + line));
}

void check_file_of_the_machine(std::string text) {
  std::erase(text, '\n');
  const std::string told = told_of_included(text);
  require(told == told_of_included("root"), "no file of the machine is quoted", told);
}

void check_run(const std::string& text, record::Verdict verdict) {
  const std::string told = feedback_of(answer_of(record::Stage::test, verdict, text)),
                    mute = feedback_of(answer_of(record::Stage::test, verdict, ""));
  require(told.starts_with(mute), "what is told of a run begins with its verdict", told);
  require(told.size() <= mute.size() + 100, "and goes on with a sentence of ours at most", told);
  require(std::ranges::all_of(told, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }), "in ASCII", told);
}

}  // namespace

FUZZ_TARGET(feedback) {
  const std::string text(text_of(data, size));
  check_compilation(text);
  check_file_of_the_machine(text);
  for (const auto& row : record::all_verdicts) check_run(text, row.verdict);
  return 0;
}

}  // namespace assay::feedback_target
