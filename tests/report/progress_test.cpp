// SPDX-License-Identifier: Apache-2.0
#include "assay/report/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "made_results.h"

namespace assay::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CTestLine, IsReadAsCTestWritesIt) {
  const auto passed = parse_ctest_line("  1/803 Test   #1: example-a.relu.cpp.000.compile .....   Passed    0.02 sec");
  ASSERT_TRUE(passed);
  EXPECT_EQ(passed->name, "example-a.relu.cpp.000.compile");
  EXPECT_EQ(passed->ended, 1);
  EXPECT_EQ(passed->all, 803);
  EXPECT_TRUE(passed->passed && passed->ran);
  EXPECT_DOUBLE_EQ(passed->seconds, 0.02);
  const auto failed = parse_ctest_line("12/33 Test #310: m.sum.cpp.000.test ...***Failed   12.50 sec");
  ASSERT_TRUE(failed);
  EXPECT_TRUE(!failed->passed && failed->ran);
  EXPECT_DOUBLE_EQ(failed->seconds, 12.5);
  EXPECT_FALSE(parse_ctest_line("3/3 Test #7: m.sum.cpp.000.bench ...***Not Run   0.00 sec")->ran);
  EXPECT_TRUE(parse_ctest_line("3/3 Test #7: m.sum.cpp.000.bench ...***Timeout 900.00 sec")->ran);
  for (const char* line :
       {"", "      Start  1: m.relu.cpp.000.test", "1/2 Tests passed", "1/2 Test #x: y z", "Test #1: a b", "1/2 Test #1: a"})
    EXPECT_FALSE(parse_ctest_line(line)) << line;
}

class Shown {
 public:
  explicit Shown(ProgressStyle style = {false, 100, 0}) : progress_("judged", tests(), 2, style, out_) {}

  Shown& test(const std::string& name, const nlohmann::json& changes = {}) {
    const nlohmann::json record = made_record(name, changes);
    const results::KeptResult result{name, "b", "e", {}, 0, record.dump(), ""};
    ++ended_;
    progress_.add({name, ended_, 8, true, record.at("verdict") == "PASS", 1}, &result, ended_);
    return *this;
  }
  Shown& left_nothing(const std::string& name) {
    ++ended_;
    progress_.add({name, ended_, 8, true, false, 1}, nullptr, ended_);
    return *this;
  }
  Shown& not_run(const std::string& name) {
    ++ended_;
    progress_.add({name, ended_, 8, false, false, 0}, nullptr, ended_);
    return *this;
  }
  std::string finish() {
    progress_.finish(90);
    return out_.str();
  }
  std::string text() const { return out_.str(); }
  int errors() const { return progress_.harness_errors(); }

 private:
  static std::vector<std::string> tests() {
    return {"m.relu.cpp.000.compile", "m.relu.cpp.000.test", "m.relu.cpp.000.bench",
            "m.relu.cpp.001.compile", "m.relu.cpp.001.test", "m.relu.cpp.001.bench"};
  }
  std::ostringstream out_;
  Progress progress_;
  int ended_ = 0;
};

TEST(Progress, AFailureIsOneLine) {
  Shown shown({false, 100, 1e9});
  shown.test("m.relu.cpp.001.compile")
      .test("m.relu.cpp.001.test", {{"verdict", "WRONG_RESULT"}, {"detail", "y[3, 17]: got 0.25, expected 0.5"}});
  shown.not_run("m.relu.cpp.001.bench");
  EXPECT_EQ(shown.text(), "m.relu.cpp.001  WRONG_RESULT      y[3, 17]: got 0.25, expected 0.5\n");
}

TEST(Progress, CountsASampleOnceWhenItsLastStageHasEnded) {
  Shown shown;
  shown.test("m.relu.cpp.000.compile").test("m.relu.cpp.000.test");  // a second each, two at a time but for timings
  EXPECT_THAT(shown.text(), Not(HasSubstr("PASS")));
  shown.test("m.relu.cpp.000.bench");
  EXPECT_THAT(shown.text(), EndsWith("judged  3/8 tests  1.0 tests/s  4 s left  PASS 1\n"));
  shown.test("m.relu.cpp.001.compile", {{"verdict", "COMPILE_ERROR"}});
  EXPECT_THAT(shown.text(), EndsWith("judged  4/8 tests  1.0 tests/s  2 s left  PASS 1  COMPILE_ERROR 1\n"));  // our two fixtures
  shown.not_run("m.relu.cpp.001.test");
  EXPECT_THAT(shown.text(), EndsWith("judged  5/8 tests  1.0 tests/s  2 s left  PASS 1  COMPILE_ERROR 1\n"));
  EXPECT_THAT(shown.finish(), EndsWith("judged  5 tests in 1 min 30 s  PASS 1  COMPILE_ERROR 1\n"));
}

TEST(Progress, WithoutARecordItIsOurFailure) {
  Shown shown({false, 100, 1e9});
  shown.left_nothing("m.relu.cpp.000.test").left_nothing("assay.relu.cases");
  EXPECT_EQ(shown.errors(), 2);
  EXPECT_EQ(shown.text(),
            "m.relu.cpp.000  HARNESS_ERROR     stage test left no result: it was killed, or the judge died\n"
            "assay.relu.cases  HARNESS_ERROR     our own setup left no result: it was killed, or the judge died\n");
}

TEST(Progress, WhatACandidateWroteCannotMoveTheCursor) {
  Shown shown({true, 60, 0});
  shown.test("m.relu.cpp.000.test", {{"verdict", "CRASH"}, {"detail", "\x1b[2J\r\nevil " + std::string(200, 'x')}});
  const std::string line = shown.text().substr(0, shown.text().find('\n'));
  EXPECT_THAT(line, HasSubstr("\r\x1b[K"
                              "m.relu.cpp.000  CRASH             \\x1b[2J"));
  EXPECT_THAT(line, EndsWith("…"));
  EXPECT_LE(line.size(), 60 + std::string("\r\x1b[K…").size());
}

TEST(Progress, IsRewrittenInPlaceOnATerminalAlone) {
  Shown terminal({true, 100, 0}), pipe({false, 100, 2});
  for (Shown* shown : {&terminal, &pipe}) shown->test("m.relu.cpp.000.compile").test("m.relu.cpp.001.compile").test("m.relu.cpp.000.test");
  EXPECT_EQ(std::ranges::count(terminal.text(), '\r'), 3);
  EXPECT_EQ(std::ranges::count(terminal.text(), '\n'), 0);
  EXPECT_EQ(std::ranges::count(pipe.text(), '\n'), 1);
  EXPECT_EQ(std::ranges::count(pipe.text(), '\r'), 0);
}

TEST(Durations, AreSpelt) {
  EXPECT_EQ(spell_duration(0.4), "0 s");
  EXPECT_EQ(spell_duration(59.4), "59 s");
  EXPECT_EQ(spell_duration(185), "3 min 05 s");
}

}  // namespace
}  // namespace assay::report
