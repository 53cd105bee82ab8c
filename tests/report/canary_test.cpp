// SPDX-License-Identifier: Apache-2.0
// What a canary's interval means for the timings beside it.
#include "assay/report/canary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "assay/report/formats.h"
#include "made_results.h"

namespace assay::report {
namespace {

using record::Verdict;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string doubt(double ratio, double low, double high) { return Canary{"assay.canary.before", "a.xml", ratio, low, high, 0, 10}.doubt(); }

std::string text_of(const Results& results) {
  std::ostringstream out;
  write_text(*summarize(results, {}), {false, By::category}, out);
  return out.str();
}

TEST(Canary, IsBelievedNearOne) {
  EXPECT_THAT(doubt(1, 0.976, 1.024), IsEmpty());
  EXPECT_THAT(doubt(1.015, 1.005, 1.02), IsEmpty());  // excludes 1, by half a per cent
  EXPECT_THAT(doubt(1.02, 1.01, 1.03), IsEmpty());
  EXPECT_THAT(doubt(0.98, 0.97, 0.99), IsEmpty());
  EXPECT_THAT(doubt(1, 0.9651, 1.0349), IsEmpty());
}

TEST(Canary, IsDoubtedWhereOneIsExcluded) {
  EXPECT_THAT(doubt(1.02, 1.011, 1.03), HasSubstr("before 1.020 [1.011, 1.030], a baseline against itself, excludes 1"));
  EXPECT_THAT(doubt(0.97, 0.96, 0.989), HasSubstr("excludes 1"));
  EXPECT_THAT(doubt(1.02, 1.01005, 1.03), HasSubstr("excludes 1"));
  EXPECT_THAT(doubt(0.98, 0.97, 0.98995), HasSubstr("excludes 1"));
}

/// As wide as an interval may be.
TEST(Canary, SeesABiasOfFivePerCent) {
  EXPECT_THAT(doubt(1.05, 1.015, 1.085), HasSubstr("excludes 1"));
  EXPECT_THAT(doubt(0.95, 0.915, 0.985), HasSubstr("excludes 1"));
}

TEST(Canary, IsDoubtedWhereItSettlesNothing) {
  EXPECT_THAT(doubt(1, 0.96, 1.04), HasSubstr("is too uncertain"));
  EXPECT_THAT(doubt(1, 0.9649, 1.0351), HasSubstr("is too uncertain"));
}

TEST(Canary, IsReadFromTheFirstLineAlone) {
  const std::string line = R"(canary: {"ratio": 1.01, "low99": 1.0, "high99": 1.02, "launches": 10, "steal": 0.5})";
  const auto canary = read_canary("assay.canary.after", "a.xml", line + "\nmore");
  ASSERT_TRUE(canary);
  EXPECT_EQ(spell(*canary), "after 1.010 [1.000, 1.020]");
  EXPECT_EQ(canary->launches, 10);
  EXPECT_EQ(canary->ratio, 1.01);
  EXPECT_EQ(canary->low, 1.0);
  EXPECT_EQ(canary->high, 1.02);
  EXPECT_EQ(canary->steal, 0.5);
  EXPECT_EQ(canary->file, "a.xml");
  EXPECT_FALSE(read_canary("assay.canary.after", "a.xml", "chatter\n" + line));
  EXPECT_FALSE(read_canary("assay.canary.after", "a.xml", "canary: {\"ratio\": 1}"));
  EXPECT_FALSE(read_canary("assay.canary.after", "a.xml", "canary: [1"));
}

TEST(Canary, IsKnownByItsName) {
  EXPECT_TRUE(is_canary("assay.canary.before"));
  EXPECT_FALSE(is_canary("assay.machine"));
  EXPECT_FALSE(is_canary("m.relu.cpp.000.bench"));
}

TEST(Canary, IsReadWholeOrNotAtAll) {
  const nlohmann::json good{{"ratio", 1.01}, {"low99", 1.0}, {"high99", 1.02}, {"launches", 10}, {"steal", 0.5}};
  const auto is_read = [&](const nlohmann::json& changes) {
    nlohmann::json line = good;
    line.merge_patch(changes);
    return read_canary("assay.canary.after", "a.xml", "canary: " + line.dump()).has_value();
  };
  EXPECT_TRUE(is_read(nlohmann::json::object()));
  for (const char* key : {"ratio", "low99", "high99", "steal"}) {
    EXPECT_FALSE(is_read({{key, nullptr}})) << key;
    EXPECT_FALSE(is_read({{key, "1"}})) << key;
  }
  EXPECT_TRUE(is_read({{"low99", 1.01}, {"high99", 1.01}}));
  EXPECT_FALSE(is_read({{"low99", 1.015}}));
  EXPECT_FALSE(is_read({{"high99", 1.005}}));
  EXPECT_FALSE(is_read({{"low99", 0}}));
  EXPECT_FALSE(is_read({{"low99", -1}}));
  EXPECT_FALSE(read_canary("assay.canary.after", "a.xml", "chatter " + good.dump()));
  const auto unsaid = read_canary("assay.canary.after", "a.xml", R"(canary: {"ratio": 1, "low99": 1, "high99": 1, "steal": 0})");
  ASSERT_TRUE(unsaid);
  EXPECT_EQ(unsaid->launches, 0);
}

TEST(Canary, IsOnTopOfTheReport) {
  MadeEvaluation made;
  made.canary("before", 1.001, 0.997, 1.005).canary("after", 1.002, 0.998, 1.006).correct("m.relu.cpp.000", 2);
  const std::string text = text_of(made.results());
  EXPECT_THAT(text, HasSubstr("canary   before 1.001 [0.997, 1.005], after 1.002 [0.998, 1.006]"));
  EXPECT_THAT(text, Not(HasSubstr("not to be believed")));
}

TEST(Canary, MakesTimingsInconclusiveWhereItIsDoubted) {
  MadeEvaluation made;
  made.canary("before", 1.001, 0.997, 1.005).canary("after", 1.3, 1.2, 1.4).correct("m.relu.cpp.000", 2);
  const Results results = made.results();
  const Sample& sample = results.problems.at(0).samples.at(0);
  EXPECT_EQ(sample.verdict(), Verdict::inconclusive);
  EXPECT_TRUE(sample.outcome().passes);
  EXPECT_FALSE(sample.outcome().speedup);
  EXPECT_THAT(text_of(results), HasSubstr("not to be believed"));
}

TEST(Canary, SpeaksForItsOwnShard) {
  MadeEvaluation bad, good;
  bad.canary("before", 1.3, 1.2, 1.4).correct("m.relu.cpp.000", 2);
  good.canary("before", 1, 0.99, 1.01).correct("m.relu.cpp.001", 2);
  const Results results = collect({bad.junit("bad.xml"), good.junit("good.xml")});
  EXPECT_FALSE(results.problems.at(0).samples.at(0).outcome().speedup);
  EXPECT_TRUE(results.problems.at(0).samples.at(1).outcome().speedup);
  EXPECT_THAT(text_of(results), HasSubstr("bad.xml: before 1.300"));
}

TEST(Canary, WithoutItsLineIsOurFailure) {
  MadeEvaluation made;
  made.output("assay.canary.before", TestStatus::run, "chatter\n").correct("m.relu.cpp.000", 2);
  ASSERT_EQ(made.results().harness_errors.size(), 1u);
  EXPECT_EQ(made.results().harness_errors[0].test, "assay.canary.before");
}

}  // namespace
}  // namespace assay::report
