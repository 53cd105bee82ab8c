// SPDX-License-Identifier: Apache-2.0
// Verdicts and the one line that carries a stage's result: `assay: {json}` (schema: harness/report/record.schema.json).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "assay/judge/plan.h"

namespace assay {

enum class Verdict {
  pass, compile_error, compile_timeout, wrong_result, out_of_bounds, input_modified, crash, timeout, memory_limit,
  policy, nondeterministic, suspect_fast, inconclusive, harness_error
};
const char* to_string(Verdict verdict);
/// Whether `text` is one that to_string() gives.
bool is_verdict(std::string_view text);

using Record = nlohmann::ordered_json;

/// The fields that every stage's record has.
Record make_record(const Plan& plan, const Candidate& candidate, const std::string& stage);

/// `detail` is made harmless() and cut to 2,000 bytes.
void set_verdict(Record& record, Verdict verdict, const std::string& detail = "");

/// JSON has no NaN or infinity: they become null.
nlohmann::json finite_or_null(double value);

/// The record as JSON in one line of ASCII without '<': nothing in it can be taken for CTest's markup.
std::string record_line(const Record& record);

/// Prints the record as the first line, then `text`. CTest finds nothing in it that it would interpret.
/// Throws std::runtime_error where they do not get out. `kept`, where there is one, keeps them too.
void print_result(const Record& record, const std::string& text, ResultFile* kept = nullptr);

/// printable_lines(text), in which CTest finds no markup of its own (<CTestMeasurement..., <DartMeasurement...) either.
std::string harmless(const std::string& text);

/// 0 for PASS, 3 for HARNESS_ERROR, 1 for every other verdict.
int exit_code(const Record& record);

}  // namespace assay
