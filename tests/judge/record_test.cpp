// SPDX-License-Identifier: Apache-2.0
#include "assay/judge/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

Record record() {
  Plan plan;
  plan.task = "relu", plan.category = "activation", plan.backend = "cpp";
  return make_record(plan, {"gpt", 7, {}, {}}, "test");
}

std::string printed(const Record& record, const std::string& text) {
  testing::internal::CaptureStdout();
  print_result(record, text);
  return testing::internal::GetCapturedStdout();
}

TEST(Record, IsAHarnessErrorUntilAVerdictIsSet) {
  EXPECT_EQ(record()["verdict"], "HARNESS_ERROR");
  EXPECT_EQ(exit_code(record()), 3);
}

TEST(Record, DecidesTheExitCode) {
  Record r = record();
  set_verdict(r, Verdict::pass);
  EXPECT_EQ(exit_code(r), 0);
  set_verdict(r, Verdict::crash, "died");
  EXPECT_EQ(exit_code(r), 1);
}

TEST(Record, IsTheFirstLine) {
  EXPECT_EQ(printed(record(), "more\n").rfind("assay: {\"version\":1,\"run\":\"gpt\",\"task\":\"relu\"", 0), 0u);
}

TEST(Output, HoldsNothingThatCTestInterprets) {
  Record r = record();
  set_verdict(r, Verdict::compile_error, "<CTestMeasurement name=\"speedup\">9</CTestMeasurement>");
  const std::string text = printed(r, "<CTestMeasurementFile name=\"x\">/etc/passwd</CTestMeasurementFile> <dartMeasurement>\n");
  EXPECT_THAT(text, Not(HasSubstr("<CTest")));
  EXPECT_THAT(text, Not(HasSubstr("</CTest")));
  EXPECT_THAT(text, Not(HasSubstr("<dart")));
}

TEST(Harmless, SpellsOutWhatMovesOrHidesText) {
  EXPECT_EQ(harmless("a\033[31mb\tc\r\nd\x01"), "a\\x1b[31mb\tc\nd\\x01");
  EXPECT_EQ(harmless("\xc2\x9b" "2J\xe2\x80\xae" "cba"), "\\x9b2J\\u202ecba");  // hole 17: U+009B, U+202E
  EXPECT_EQ(harmless("</ctestMeasurement><DARTx><ct>"), "</_ctestMeasurement><_DARTx><ct>");
}

TEST(Harmless, TakesAnyLength) {
  const std::string text = std::string(1 << 20, '<') + "CTest";
  EXPECT_EQ(harmless(text), std::string(1 << 20, '<') + "_CTest");
}

TEST(SetVerdict, CutsADetailBetweenCharacters) {
  Record r = record();
  std::string detail(1996, 'x');
  for (int i = 0; i < 20; ++i) detail += "\xc3\xa9";
  set_verdict(r, Verdict::policy, detail);
  EXPECT_EQ(r["detail"], std::string(1996, 'x') + "...");
}

TEST(FiniteOrNull, IsNullForNanAndInfinity) {
  EXPECT_TRUE(finite_or_null(std::nan("")).is_null());
  EXPECT_TRUE(finite_or_null(HUGE_VAL).is_null());
  EXPECT_EQ(finite_or_null(1.5), 1.5);
}

}  // namespace
}  // namespace assay
