// SPDX-License-Identifier: Apache-2.0
#include "assay/record/output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::record {
namespace {

using testing::HasSubstr;
using testing::Not;

Record begun() {
  Record record;
  record.sample = {"gpt", "relu", "cpp", 7};
  record.stage = Stage::test;
  record.category = "activation";
  return record;
}

std::string printed(const Record& record, const std::string& text) {
  testing::internal::CaptureStdout();
  print_result(record, text);
  return testing::internal::GetCapturedStdout();
}

TEST(Record, IsAHarnessErrorUntilAVerdictIsSet) {
  EXPECT_EQ(begun().verdict, Verdict::harness_error);
  EXPECT_NE(begun().detail, "");
}

TEST(ExitCode, IsTheVerdicts) {
  EXPECT_EQ(exit_code(Verdict::harness_error), 3);
  EXPECT_EQ(exit_code(Verdict::pass), 0);
  EXPECT_EQ(exit_code(Verdict::crash), 1);
  EXPECT_EQ(exit_code(Verdict::inconclusive), 1);
}

TEST(Record, IsTheFirstLine) {
  EXPECT_EQ(printed(begun(), "more\n").rfind("assay: {\"version\":1,\"run\":\"gpt\",\"task\":\"relu\"", 0), 0u);
}

TEST(Output, HoldsNothingThatCTestInterprets) {
  Record r = begun();
  set_verdict(r, Verdict::compile_error, "<CTestMeasurement name=\"speedup\">9</CTestMeasurement>");
  const std::string text = printed(r, "<CTestMeasurementFile name=\"x\">/etc/passwd</CTestMeasurementFile> <dartMeasurement>\n");
  EXPECT_THAT(text, Not(HasSubstr("<CTest")));
  EXPECT_THAT(text, Not(HasSubstr("</CTest")));
  EXPECT_THAT(text, Not(HasSubstr("<dart")));
}

TEST(Harmless, SpellsOutWhatMovesOrHidesText) {
  EXPECT_EQ(harmless("a\033[31mb\tc\r\nd\x01"), "a\\x1b[31mb\tc\nd\\x01");
  EXPECT_EQ(harmless("\xc2\x9b"
                     "2J\xe2\x80\xae"
                     "cba"),
            "\\x9b2J\\u202ecba");  // hole 17: U+009B, U+202E
  EXPECT_EQ(harmless("</ctestMeasurement><DARTx><ct>"), "</_ctestMeasurement><_DARTx><ct>");
}

TEST(Harmless, TakesAnyLength) {
  const std::string text = std::string(1 << 20, '<') + "CTest";
  EXPECT_EQ(harmless(text), std::string(1 << 20, '<') + "_CTest");
}

TEST(SetVerdict, CutsADetailBetweenCharacters) {
  Record r = begun();
  std::string detail(1996, 'x');
  for (int i = 0; i < 20; ++i) detail += "\xc3\xa9";
  set_verdict(r, Verdict::policy, detail);
  EXPECT_EQ(r.detail, std::string(1996, 'x') + "...");
}

}  // namespace
}  // namespace assay::record
