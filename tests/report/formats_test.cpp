// SPDX-License-Identifier: Apache-2.0
#include "assay/report/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "assay/report/escape.h"
#include "made_results.h"

namespace assay::report {
namespace {

using record::printable;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// What a candidate could get into a detail: markup, terminal sequences (ESC and the C1 byte CSI),
/// reordering, formulas.
const std::string hostile =
    "=cmd|' /C calc'!A0 <script>alert(1)</script> \"x\" & \x1b[2J\x07\x7f \xc2\x9b"
    "31m \xe2\x80\xae evil \xff\r\nsecond, line";

std::unique_ptr<Summary> hostile_summary() {
  MadeEvaluation made;
  // As a JSON string the invalid byte cannot arrive; CTest has replaced it by then.
  std::string detail = hostile;
  detail.replace(detail.find('\xff'), 1, "[NON-UTF-8-BYTE-0xFF]");
  made.correct("m.relu.cpp.000", 2, 1.9, 2.1).wrong("m.relu.cpp.001", detail);
  made.output("m.gelu.cpp.000.test", TestStatus::fail, "", detail);
  made.correct("n.relu.cpp.000", 1, 0.9, 1.1).wrong("n.relu.cpp.001");
  return summarize(made.results(), {});
}

template <typename Write>
std::string written(const Summary& summary, Write write) {
  std::ostringstream out;
  write(summary, out);
  return out.str();
}

std::string text_of(const Summary& summary, bool colour = false) {
  std::ostringstream out;
  write_text(summary, {colour, By::category}, out);
  return out.str();
}

TEST(Html, EscapesElementsAndAttributes) {
  EXPECT_EQ(html("<a href=\"x\" b='y'>&\x1b"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;\\x1b");
}

TEST(Shorten, CountsCharacters) {
  EXPECT_EQ(shorten("größer", 6), "größer");
  EXPECT_EQ(shorten("größer", 4), "grö…");
  EXPECT_EQ(width("größer"), 6u);
}

TEST(Text, HoldsNoControlCharacterAndFitsItsLine) {
  std::istringstream lines(text_of(*hostile_summary()));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(width(line), 100u) << line;
    for (char c : line) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << line;
    EXPECT_EQ(line, printable(line));
    EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
  }
  EXPECT_GT(count, 20);
}

TEST(Text, ColoursOnlyOnRequest) {
  EXPECT_THAT(text_of(*hostile_summary(), false), Not(HasSubstr("\x1b[")));
  const std::string coloured = text_of(*hostile_summary(), true);
  EXPECT_THAT(coloured, HasSubstr("\x1b[1m"));
  EXPECT_THAT(coloured, Not(HasSubstr("\x1b[2J")));
}

TEST(Text, FitsWithManyRunsOfLongNames) {
  MadeEvaluation made;
  for (char c = 'a'; c <= 'm'; ++c)
    for (const char* index : {".000", ".001"})
      made.correct(std::string(30, c) + ".some_quite_long_name_of_a_task.opencl" + index, 1234567.5, 1000, 2e9);
  std::istringstream lines(text_of(*summarize(made.results(), {{1, 2}, 1.25, {1.0}})));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(width(line), 100u) << line;
}

TEST(Text, SaysWhatItRestsOn) {
  const std::string text = text_of(*hostile_summary());
  for (const char* part : {"HARNESS_ERROR: 1 sample", "3f2a91c0 AMD EPYC 2 cores", "sandbox  full", "effort standard, baseline eigen",
                           "0x5eed", "5 from 13 tests", "n<k: gelu/cpp has 0 counted of 1 samples"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_LT(text.find("HARNESS_ERROR"), text.find("Verdicts"));
}

TEST(Text, NamesTheShapesThatWereTimed) {
  MadeEvaluation made;
  made.test("m.relu.cpp.000.bench", TestStatus::run, made_record("m.relu.cpp.000.bench", {{"target", "gpu"}, {"cache", "cold"}}));
  EXPECT_THAT(text_of(*summarize(made.results(), {})), HasSubstr("effort standard, shapes gpu, caches cold, baseline eigen"));
}

TEST(Formats, NameProblemsThatHaveNoStageBench) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).without_bench("m.queue.program.000", "PASS");
  const auto summary = summarize(made.results(), {});
  EXPECT_THAT(text_of(*summary), HasSubstr("  no bench 1 left out of metrics of speed: queue\n"));
  EXPECT_THAT(written(*summary, write_html), HasSubstr("<dt>No stage bench, left out of metrics of speed</dt><dd>queue</dd>"));
  EXPECT_EQ(nlohmann::json::parse(written(*summary, write_json))["context"]["no_bench"], nlohmann::json({"queue"}));
}

TEST(Text, ReferencesStandApart) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).correct("reference.relu.cpp.000", 3);
  const std::string text = text_of(*summarize(made.results(), {}));
  EXPECT_THAT(text, HasSubstr("\nreferences: 1/1 pass, median speedup 3.00x\n"));
  EXPECT_THAT(text, Not(HasSubstr("  2  reference")));
}

TEST(Html, QuotesNothingUnescaped) {
  const std::string page = written(*hostile_summary(), write_html);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(page, HasSubstr("\\x1b[2J"));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, Not(HasSubstr("\xe2\x80\xae")));
}

TEST(Html, EscapesItsOwnWordsToo) {
  const auto summary = summarize(MadeEvaluation().not_judged("gpt.relu.cpp.000").results(), {});
  EXPECT_THAT(written(*summary, write_html), AllOf(HasSubstr("n&lt;k"), Not(HasSubstr("n<k"))));
}

TEST(Html, NeedsNothingFromOutside) {
  const std::string page = written(*hostile_summary(), write_html);
  for (const char* part : {"http://", "https://", "src=", "href=", "url(", "@import"}) EXPECT_THAT(page, Not(HasSubstr(part)));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
}

TEST(Html, HasEveryPart) {
  const std::string page = written(*hostile_summary(), write_html);
  for (const char* part : {"HARNESS_ERROR: 1 not judged", "Leaderboard", "pass@1 by category", "Verdicts", "Samples", "<svg",
                           "speedup 2x, 95 % [1.9, 2.1] over eigen", "All metrics"})
    EXPECT_THAT(page, HasSubstr(part));
}

/// Reads RFC 4180 strictly: CRLF, quotes doubled, every record of equal length.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  for (std::size_t i = 0, quoted = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') rows.back().back() += text[++i];
    else if (c == '"') quoted = !quoted;
    else if (quoted) rows.back().back() += c;
    else if (c == ',') rows.back().emplace_back();
    else if (c == '\r' && text.substr(i, 2) == "\r\n") rows.emplace_back(1), ++i;
    else rows.back().back() += c;
  }
  rows.pop_back();
  return rows;
}

TEST(Csv, OneLinePerSampleReadsBack) {
  const auto rows = read_csv(written(*hostile_summary(), write_csv));
  ASSERT_EQ(rows.size(), 6u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  const auto at = [&](std::size_t row, const std::string& name) {
    const auto it = std::find(rows[0].begin(), rows[0].end(), name);
    return it == rows[0].end() ? "no such column" : rows[row][static_cast<std::size_t>(it - rows[0].begin())];
  };
  EXPECT_EQ(at(1, "task"), "gelu");
  EXPECT_EQ(at(1, "verdict"), "HARNESS_ERROR");
  EXPECT_EQ(at(2, "sample"), "000");
  EXPECT_EQ(at(2, "speedup"), "2");
  EXPECT_EQ(at(2, "speedup_low"), "1.9");
  EXPECT_EQ(at(2, "machine"), "3f2a91c0 AMD EPYC 2 cores");
  EXPECT_EQ(at(3, "verdict"), "WRONG_RESULT");
  EXPECT_EQ(at(3, "bench_verdict"), "");  // inherited: it never ran
  EXPECT_EQ(at(3, "cases_passed"), "2");
  // No spreadsheet computes it, and its quotes and commas read back.
  EXPECT_EQ(at(3, "detail"),
            "'=cmd|' /C calc'!A0 <script>alert(1)</script> \"x\" & \\x1b[2J\\x07\\x7f \\x9b31m \\u202e evil "
            "[NON-UTF-8-BYTE-0xFF]  second, line");
}

TEST(Json, HoldsAllAndIsReproducible) {
  const auto summary = hostile_summary();
  const std::string text = written(*summary, write_json);
  EXPECT_EQ(text, written(*hostile_summary(), write_json));
  const auto report = nlohmann::json::parse(text);
  EXPECT_EQ(report["version"], 1);
  EXPECT_EQ(report["samples"].size(), 5u);
  EXPECT_EQ(report["samples"][2]["test"]["verdict"], "WRONG_RESULT");
  EXPECT_EQ(report["samples"][2]["bench"]["inherited"], true);
  EXPECT_EQ(report["harness_errors"][0]["test"], "m.gelu.cpp.000.test");
  EXPECT_EQ(report["groups"][0]["metrics"]["pass@1"]["value"], 0.5);
  EXPECT_EQ(report["groups"][1]["metrics"]["pass@1"]["state"], "refused");
  EXPECT_EQ(report["metrics"].size(), summary->columns.size());
}

TEST(Spell, NumbersAndTheirAbsence) {
  const auto all = columns({{1}, 1.0, {}});
  Estimate estimate;
  EXPECT_EQ(spell(all[0], estimate), "-");
  estimate.state = EstimateState::refused;
  EXPECT_EQ(spell(all[0], estimate), "n<k");
  estimate = {EstimateState::value, 0.8125, 0.7, 0.9, 1, 1, 0, 0, ""};
  EXPECT_EQ(spell(all[0], estimate), "81.2%");
  EXPECT_EQ(spell_interval(all[0], estimate), "[70.0, 90.0]");
}

}  // namespace
}  // namespace assay::report
