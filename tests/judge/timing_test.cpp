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

TEST(StudentT, EndsItsTableAtThirty) {
  EXPECT_DOUBLE_EQ(student_t(2), 4.303);
  EXPECT_DOUBLE_EQ(student_t(29), 2.045);
  EXPECT_DOUBLE_EQ(student_t(30), 2.042);
  EXPECT_DOUBLE_EQ(student_t(31), 1.96);
}

/// Chance that t exceeds `quantile` in either direction, by Simpson's rule over Student's density on (0, quantile).
double two_sided(double quantile, double degrees) {
  constexpr int kSteps = 20000;
  const double scale = std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) / std::sqrt(degrees * std::acos(-1.0));
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = quantile * i / kSteps, weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::pow(1 + x * x / degrees, -(degrees + 1) / 2);
  }
  return 1 - 2 * scale * sum * quantile / kSteps / 3;
}

TEST(StudentT, HoldsItsDefinition) {
  for (std::size_t degrees = 1; degrees <= 30; ++degrees)
    EXPECT_NEAR(two_sided(student_t(degrees), static_cast<double>(degrees)), 0.05, 5e-5) << degrees;
}

TEST(Median, OfMoreThanItHolds) {
  EXPECT_EQ(median({9, 1, 7, 3, 5}), 5);
  EXPECT_EQ(median({9, 1, 7, 3, 5, 11}), 6);
  EXPECT_EQ(median({2, 8}), 5);
  EXPECT_EQ(median({4}), 4);
}

TEST(LogRatio, IsTheBaselinesTimeOverTheCandidates) {
  EXPECT_DOUBLE_EQ(log_ratio({{2, 6}}), std::log(3));
  EXPECT_DOUBLE_EQ(log_ratio({{6, 2}}), -std::log(3));
  EXPECT_DOUBLE_EQ(log_ratio({{1, 2}, {1, 4}}), (std::log(2) + std::log(4)) / 2);
}

TEST(Speedup, TakesItsDegreesOfFreedomFromTheLaunches) {
  // Logs 0.1, 0.2, 0.6: mean 0.3, squares 0.14, sd sqrt(0.07), se sqrt(0.07 / 3), t(2) = 4.303.
  const Speedup speedup = speedup_over({0.1, 0.2, 0.6});
  const double half = 4.303 * std::sqrt(0.07 / 3);
  EXPECT_NEAR(speedup.estimate, std::exp(0.3), 1e-12);
  EXPECT_NEAR(speedup.low, std::exp(0.3 - half), 1e-12);
  EXPECT_NEAR(speedup.high, std::exp(0.3 + half), 1e-12);
}

/// A call of `seconds`, an empty one of 1 us, a limit of `least`.
Verdict verdict_of(double seconds, double least, Speedup speedup = {2, 1.9, 2.1}) {
  return judge_timing({seconds, 1e-6, least, speedup}).first;
}

TEST(JudgeTiming, SuspectsBelowTheLimitAndNotAtIt) {
  EXPECT_EQ(verdict_of(10e-6, 10e-6), Verdict::pass);
  EXPECT_EQ(verdict_of(std::nextafter(10e-6, 0), 10e-6), Verdict::suspect_fast);
}

TEST(JudgeTiming, BelievesALimitThatIsMoreThanThreeEmptyCalls) {
  EXPECT_EQ(verdict_of(2.9e-6, 3e-6), Verdict::inconclusive);
  EXPECT_EQ(verdict_of(2.9e-6, std::nextafter(3e-6, 1)), Verdict::suspect_fast);
}

TEST(JudgeTiming, TimesFromThreeEmptyCallsOn) {
  EXPECT_EQ(verdict_of(3e-6, 0), Verdict::pass);
  EXPECT_EQ(verdict_of(std::nextafter(3e-6, 0), 0), Verdict::inconclusive);
  EXPECT_EQ(judge_timing({2e-6, 1e-6, 0, {2, 1.9, 2.1}}).second, "a call takes 2 us, an empty one 1 us: too short to be timed");
}

TEST(JudgeTiming, ConcludesFromIntervalsOfHalfAsMuchAgain) {
  EXPECT_EQ(verdict_of(1e-3, 0, {2, 1.4, 3}), Verdict::pass);
  EXPECT_EQ(verdict_of(1e-3, 0, {2, 1.4, std::nextafter(3, 4)}), Verdict::inconclusive);
  EXPECT_EQ(judge_timing({1e-3, 1e-6, 0, {2, 1, 4}}).second, "launches disagree: speedup 1 to 4");
  EXPECT_EQ(judge_timing({1e-3, 1e-6, 0, {2, 1.9, 2.1}}).second, "");
}

}  // namespace
}  // namespace assay
