// SPDX-License-Identifier: Apache-2.0
#include "assay/score/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::score {
namespace {

using nlohmann::json;
using record::Record, record::Stage, record::Verdict;

Record stage(Stage of, Verdict verdict, const std::string& detail = "") {
  Record record;
  record.stage = of;
  record.seed = "0x1234";
  record::set_verdict(record, verdict, detail);
  return record;
}

Answer wrong() {
  Answer answer{"a",
                "relu",
                "cpp",
                {stage(Stage::compile, Verdict::pass), stage(Stage::test, Verdict::wrong_result, "y[3]: got 1.5, expected 7.25")},
                "",
                "correct",
                RewardValue{0, {{"correct", 0}}},
                "",
                "0123456789abcdef",
                false,
                0.5,
                1.25};
  answer.records.back().cases = record::CaseCount{5, 2};
  answer.records.back().errors = record::Errors{5.75, 0.79, 100.0, 4.0, "tail: y[3]"};
  return answer;
}

TEST(Answer, HasTheRecordsAndTheReward) {
  const json line = json::parse(to_line(wrong()));
  EXPECT_EQ(line["id"], "a");
  EXPECT_EQ(line["verdict"], "WRONG_RESULT");
  EXPECT_EQ(line["reward"], 0.0);
  EXPECT_EQ(line["masked"], false);
  EXPECT_FALSE(line.contains("masked_because"));
  EXPECT_EQ(line["parts"]["correct"], 0.0);
  EXPECT_EQ(line["stages"]["test"]["detail"], "y[3]: got 1.5, expected 7.25");
  EXPECT_EQ(line["waited_s"], 0.5);
  EXPECT_EQ(line["judged_s"], 1.25);
}

TEST(Answer, KeepsTheSecretOfCasesThatAreStillInUse) {
  EXPECT_THAT(to_line(wrong()), testing::Not(testing::HasSubstr("0x1234")));
  Answer timed = wrong();
  timed.records.push_back(stage(Stage::bench, Verdict::pass));  // whose inputs were drawn for it alone
  EXPECT_EQ(json::parse(to_line(timed))["stages"]["bench"]["seed"], "0x1234");
}

TEST(Answer, MaskedIsNoRewardOfZero) {
  Answer answer{"a", "relu", "cpp", {}, "", "correct", {}, "HARNESS_ERROR: the disk is full", "", false, 0, 0};
  const json line = json::parse(to_line(answer));
  EXPECT_TRUE(line["reward"].is_null());
  EXPECT_EQ(line["masked"], true);
  EXPECT_EQ(line["masked_because"], "HARNESS_ERROR: the disk is full");
  EXPECT_EQ(line["verdict"], "HARNESS_ERROR");
  EXPECT_EQ(line["feedback"], "");
}

TEST(Answer, IsOneLineThatATerminalCanShow) {
  Answer answer = wrong();
  answer.diagnostics = "\x1b[31m\x9b\xff\n\u202e";
  answer.records.back().detail = "\x07\u2028\n";
  answer.masked = "\x1b]0;title\x07";
  const std::string line = to_line(answer);
  EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
  const std::string error = error_line("a", "\x1b[2J\nno");
  EXPECT_TRUE(std::ranges::all_of(error, [](char c) { return c >= ' ' && c <= '~'; })) << error;
}

}  // namespace
}  // namespace assay::score
