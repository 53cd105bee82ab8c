// SPDX-License-Identifier: Apache-2.0
// Formulas of the timing protocol, with values worked out by hand.
#include "assay/judge/timing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay {
namespace {

TEST(Median, OfOddAndEvenCounts) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(LogRatio, IsTheMedianOverPairs) {
  // Ratios 2, 4, 8: the median of their logarithms is log 4.
  EXPECT_DOUBLE_EQ(log_ratio({{1, 2}, {1, 8}, {2, 8}}), std::log(4));
}

TEST(StudentT, IsTheTable) {
  EXPECT_DOUBLE_EQ(student_t(1), 12.706);
  EXPECT_DOUBLE_EQ(student_t(9), 2.262);
  EXPECT_DOUBLE_EQ(student_t(1000), 1.96);
}

TEST(Speedup, HasATIntervalOverLaunches) {
  // Logs 0.6 and 0.8: mean 0.7, sd 0.1414, se 0.1, t(1) = 12.706, half-width 1.2706.
  const Speedup speedup = speedup_over({0.6, 0.8});
  EXPECT_NEAR(speedup.estimate, std::exp(0.7), 1e-12);
  EXPECT_NEAR(speedup.low, std::exp(0.7 - 1.2706), 1e-9);
  EXPECT_NEAR(speedup.high, std::exp(0.7 + 1.2706), 1e-9);
}

TEST(Speedup, OfEqualLaunchesIsAPoint) {
  const Speedup speedup = speedup_over({0.5, 0.5, 0.5});
  EXPECT_DOUBLE_EQ(speedup.low, speedup.high);
}

TEST(JudgeTiming, PassesAPlainMeasurement) {
  EXPECT_EQ(judge_timing({1e-3, 3e-5, 1e-5, {2, 1.9, 2.1}}).first, Verdict::pass);
}

TEST(JudgeTiming, SuspectsWhatIsFasterThanTheMachine) {
  const auto [verdict, why] = judge_timing({1e-6, 1e-7, 1e-5, {500, 490, 510}});
  EXPECT_EQ(verdict, Verdict::suspect_fast);
  EXPECT_EQ(why, "1 us is less than the 10 us that this machine needs to write the outputs");
}

TEST(JudgeTiming, DoesNotConcludeFromTheHandshake) {
  EXPECT_EQ(judge_timing({5e-5, 3e-5, 1e-6, {2, 1.9, 2.1}}).first, Verdict::inconclusive);
}

TEST(JudgeTiming, DoesNotConcludeFromLaunchesThatDisagree) {
  EXPECT_EQ(judge_timing({1e-3, 3e-5, 1e-5, {2, 1, 4}}).first, Verdict::inconclusive);
  EXPECT_EQ(judge_timing({1e-3, 3e-5, 1e-5, {2, std::nan(""), std::nan("")}}).first, Verdict::inconclusive);
}

TEST(JudgeTiming, DoesNotSuspectWhereTheLimitIsLostInTheHandshake) {
  EXPECT_EQ(judge_timing({1e-9, 3e-5, 1e-5, {500, 490, 510}}).first, Verdict::inconclusive);
}

TEST(JudgeTiming, SuspectsANanTime) {
  EXPECT_EQ(judge_timing({std::nan(""), 1e-6, 1e-5, {2, 1.9, 2.1}}).first, Verdict::suspect_fast);
}

}  // namespace
}  // namespace assay
