// SPDX-License-Identifier: Apache-2.0
// Formulas of the timing protocol, with values worked out by hand.
#include "assay/timing/timing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "assay/timing/paired_timing.h"

namespace assay::timing {
namespace {

using record::claim_error, record::Doubt, record::Speedup, record::Verdict;

TEST(Median, OfOddAndEvenCounts) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(LogRatio, IsTheMedianOfMeansOfTwo) {
  // Ratios 2, 4, 8: the logarithms of 2, sqrt 8, 4, 4, sqrt 32, 8, whose median is log 4.
  EXPECT_DOUBLE_EQ(log_ratio({{1, 2}, {1, 8}, {2, 8}}), std::log(4));
}

TEST(LogRatio, IsMovedLittleByAnInterruptedCall) {
  // Of the ten means six are 0, three half of log 1024 and one all of it.
  EXPECT_DOUBLE_EQ(log_ratio({{1, 1}, {1, 1}, {1, 1}, {1, 1024}}), 0);
}

TEST(StudentT, ProbabilityInClosedForm) {
  // One degree is Cauchy's: 1/2 + atan(t)/pi. Two: 1/2 + t / (2 sqrt(2 + t^2)).
  EXPECT_NEAR(student_t_probability(1, 1), 0.75, 1e-12);
  EXPECT_NEAR(student_t_probability(1, -1), 0.25, 1e-12);
  EXPECT_NEAR(student_t_probability(1, 0.5), 0.5 + std::atan(0.5) / std::acos(-1.0), 1e-12);
  EXPECT_NEAR(student_t_probability(2, 1), 0.5 + 1 / (2 * std::sqrt(3.0)), 1e-12);
  EXPECT_NEAR(student_t_probability(2, 0), 0.5, 1e-12);
}

TEST(StudentT, IsTheTable) {
  EXPECT_NEAR(student_t(1, 0.975), 12.706, 5e-4);
  EXPECT_NEAR(student_t(3, 0.975), 3.182, 5e-4);
  EXPECT_NEAR(student_t(9, 0.975), 2.262, 5e-4);
  EXPECT_NEAR(student_t(9, 0.95), 1.833, 5e-4);
  EXPECT_NEAR(student_t(9, 0.995), 3.250, 5e-4);
  EXPECT_NEAR(student_t(10, 0.995), 3.169, 5e-4);
  EXPECT_NEAR(student_t(9, 0.05), -1.833, 5e-4);
  EXPECT_NEAR(student_t(1000, 0.975), 1.962, 5e-4);
}

TEST(Speedup, HasATIntervalOverLaunches) {
  // Logs 0.6 and 0.8: mean 0.7, sd 0.1414, se 0.1; t(1) is 12.706 at 97.5 % and 31.821 at 99 %.
  const Speedup speedup = speedup_over({0.6, 0.8});
  EXPECT_NEAR(speedup.estimate, std::exp(0.7), 1e-12);
  EXPECT_NEAR(speedup.low, std::exp(0.7 - 1.2706), 1e-4);
  EXPECT_NEAR(speedup.high, std::exp(0.7 + 1.2706), 1e-3);
  EXPECT_NEAR(std::log(speedup.at_least), 0.7 - 3.1821, 1e-4);
}

TEST(Speedup, HasAWiderIntervalAtMoreConfidence) {
  // t(1) at 99.5 % is 63.657.
  EXPECT_NEAR(std::log(speedup_over({0.6, 0.8}, 0.99).low), 0.7 - 6.3657, 1e-4);
}

TEST(Speedup, OfEqualLaunchesIsAPoint) {
  const Speedup speedup = speedup_over({0.5, 0.5, 0.5});
  EXPECT_DOUBLE_EQ(speedup.low, speedup.high);
  EXPECT_DOUBLE_EQ(speedup.at_least, speedup.estimate);
}

TEST(Speedup, OfLaunchesThatDifferInTheirLastDigitIsNoPoint) {
  const Speedup speedup = speedup_over({640 - 0x1p-43, 640 + 0x1p-43});
  EXPECT_LT(speedup.low, speedup.estimate);
  EXPECT_LT(speedup.estimate, speedup.high);
}

TEST(Holm, OfOneShapeIsThePlainBound) { EXPECT_DOUBLE_EQ(holm_lower_bounds({{0.6, 0.8, 0.7}})[0], lower_bound({0.6, 0.8, 0.7}, 0.01)); }

TEST(Holm, GivesTheStrongestEvidenceTheStrictestLevel) {
  // Means 0.7 and 0.4, both with se 0.01: the first is the more evident. t(1): 63.657 at 99.5 %, 31.821 at 99 %.
  const auto bounds = holm_lower_bounds({{0.39, 0.41}, {0.69, 0.71}});
  EXPECT_NEAR(std::log(bounds[1]), 0.7 - 0.63657, 1e-4);
  EXPECT_NEAR(std::log(bounds[0]), 0.4 - 0.31821, 1e-4);
}

TEST(Holm, ClaimsNothingAfterTheFirstFailure) {
  // Means 0.5 and 0.495, both with se 0.01, at level 0.5 % less 0.637: below 1. The second alone, at 1 %, would exceed 1.
  const LogRatios first = {0.49, 0.51}, second = {0.485, 0.505};
  EXPECT_GT(lower_bound(second, 0.01), 1);
  const auto bounds = holm_lower_bounds({first, second});
  EXPECT_NEAR(std::log(bounds[0]), 0.5 - 0.63657, 1e-4);
  EXPECT_EQ(bounds[1], 1);
}

TEST(Holm, ClaimsNothingAfterABoundOfOne) {
  // One degree, standard errors of 1: the first is evident enough for the strictest of three levels and no more.
  const double least = student_t(1, 1 - claim_error / 3);
  const auto bounds = holm_lower_bounds({{79, 81}, {-1, 1}, {least - 1, least + 1}});
  EXPECT_EQ(bounds[2], 1);
  EXPECT_GT(lower_bound({79, 81}, claim_error / 2), 1);
  EXPECT_EQ(bounds[0], 1);
}

TEST(Holm, RanksByProbabilityAndNotByTheStatistic) {
  // t is 30 of one degree, 1.1 %, and 4 of nine, 0.16 %: the second is the more evident.
  const LogRatios few = {29, 31}, many = {1, 7, 1, 7, 1, 7, 1, 7, 1, 7};
  EXPECT_DOUBLE_EQ(holm_lower_bounds({few, many})[1], lower_bound(many, claim_error / 2));
}

TEST(Holm, RanksAMeanByItsErrors) {
  // t is 50 and 400.
  const LogRatios far = {4.9, 5.1}, near = {0.399, 0.401};
  EXPECT_DOUBLE_EQ(holm_lower_bounds({far, near})[1], lower_bound(near, claim_error / 2));
}

TEST(Holm, TakesEqualLaunchesForTheStrongestEvidence) {
  const LogRatios equal = {0.5, 0.5}, other = {0.39, 0.41};
  const auto bounds = holm_lower_bounds({other, equal});
  EXPECT_DOUBLE_EQ(bounds[0], lower_bound(other, claim_error));
  EXPECT_DOUBLE_EQ(bounds[1], std::exp(0.5));
}

TEST(Holm, TakesEqualLaunchesWithoutSpeedupForNoEvidence) {
  const LogRatios none = {0, 0}, faster = {0.69, 0.71};
  const auto bounds = holm_lower_bounds({none, faster});
  EXPECT_EQ(bounds[0], 1);
  EXPECT_DOUBLE_EQ(bounds[1], lower_bound(faster, claim_error / 2));
}

TEST(Holm, KeepsTheOrderOfShapesWithoutEvidence) {
  // Both have the probability 1: equal launches, and t = -5e8 of two degrees.
  const LogRatios none = {0, 0, 0}, slower = {-1 - 0x1p-28, -1, -1 + 0x1p-28};
  EXPECT_DOUBLE_EQ(holm_lower_bounds({none, slower})[1], lower_bound(slower, claim_error));
}

TEST(Shapes, AreOneSpeedupByTheirGeometricMean) {
  // Launches 0.4, 0.6 and 0.8, 1.0: the means by launch are 0.6 and 0.8.
  const Speedup together = speedup_over_shapes({{0.4, 0.6}, {0.8, 1.0}}), means = speedup_over({0.6, 0.8});
  EXPECT_NEAR(together.estimate, means.estimate, 1e-12);
  EXPECT_NEAR(together.low, means.low, 1e-12);
  EXPECT_NEAR(together.high, means.high, 1e-12);
}

TEST(Folds, AreTheLaunchesDealtInTurn) {
  const record::Folds folds = folds_over_shapes({{0.1, 0.2, 0.3, 0.4, 0.5, 0.3, 0.2, 0.1, 0.0, 0.9}});
  const record::Folds logs = {0.2, 0.2, 0.2, 0.2, 0.7};
  for (std::size_t fold = 0; fold < folds.size(); ++fold) EXPECT_NEAR(std::log(folds[fold]), logs[fold], 1e-12) << fold;
}

TEST(Folds, AreOfTheShapesMeansAndTheirOwnMeanIsTheEstimate) {
  const std::vector<LogRatios> shapes = {{0.1, 0.2, 0.3, 0.4, 0.5}, {0.3, 0.0, 0.5, 0.0, 0.1}};  // by launch 0.2, 0.1, 0.4, 0.2, 0.3
  const record::Folds folds = folds_over_shapes(shapes);
  double mean = 0;
  for (const double fold : folds) mean += std::log(fold) / 5;
  EXPECT_NEAR(std::log(folds[2]), 0.4, 1e-12);
  EXPECT_NEAR(mean, 0.24, 1e-12);
  EXPECT_NEAR(std::exp(mean), speedup_over_shapes(shapes).estimate, 1e-12);
}

TEST(Folds, AreOfEqualSizeAtEachEffort) {
  for (const char* effort : {"quick", "standard", "publish"}) EXPECT_EQ(effort_of(effort).launches % 5, 0) << effort;
}

TEST(Shapes, DoNotExcuseOneThatIsSlower) {
  // Twice as fast on one, 0.9 as fast on the other: the mean is 1.34, the claim 0.9.
  const LogRatios fast(3, std::log(2.0)), slow(3, std::log(0.9));
  const Speedup speedup = speedup_over_shapes({fast, slow});
  EXPECT_NEAR(speedup.estimate, std::sqrt(1.8), 1e-12);
  EXPECT_NEAR(speedup.at_least, 0.9, 1e-12);
}

TEST(Shapes, ExcuseOneThatIsALittleSlower) {
  const LogRatios fast(3, std::log(2.0)), slow(3, std::log(0.96));
  EXPECT_NEAR(speedup_over_shapes({fast, slow}).at_least, std::sqrt(1.92), 1e-12);
}

TEST(Shapes, ExcuseOneThatIsAtTheFloor) {
  const LogRatios fast(2, std::log(2.0)), floor(2, std::log(0.95)), above(2, std::log(0.9501)), below(2, std::log(0.9499));
  ASSERT_EQ(holm_lower_bounds({fast, floor})[1], 0.95);
  EXPECT_NEAR(speedup_over_shapes({fast, floor}).at_least, std::sqrt(1.9), 1e-12);
  EXPECT_NEAR(speedup_over_shapes({fast, above}).at_least, std::sqrt(2 * 0.9501), 1e-12);
  EXPECT_NEAR(speedup_over_shapes({fast, below}).at_least, 0.9499, 1e-12);
}

TEST(Spread, LeavesOutATwentiethAtEitherEnd) {
  std::vector<double> launches(19, 1);
  launches.push_back(9);
  EXPECT_EQ(spread(launches), 1) << "one of twenty";
  launches[0] = 3;
  EXPECT_EQ(spread(launches), 3) << "two of twenty";
  launches.erase(launches.begin());
  EXPECT_EQ(spread(launches), 9) << "one of nineteen";
}

TEST(Spread, IsLargestOverSmallest) {
  EXPECT_EQ(spread({2, 1, 4}), 4);
  EXPECT_EQ(spread({2, 8, 4}), 4);
  EXPECT_EQ(spread({2, 6}), 3);
  EXPECT_EQ(spread({7}), 1);
  EXPECT_EQ(spread({}), 1);
}

TEST(LeastSeconds, IsTheSlowestOfWritingReadingAndHalfTheArithmetic) {
  const MachinePeaks peaks{1e9, 0, 2e9, true, 4e9};
  EXPECT_DOUBLE_EQ(least_seconds({2e6, 0, 0}, peaks), 1e-3);
  EXPECT_DOUBLE_EQ(least_seconds({2e6, 8e6, 0}, peaks), 2e-3);
  EXPECT_DOUBLE_EQ(least_seconds({2e6, 8e6, 6e6}, peaks), 3e-3);
  EXPECT_DOUBLE_EQ(least_seconds({2e6, 8e6, 0}, {1e9, 0, 2e9, true, 0}), 1e-3) << "a device, whose reading is not measured";
}

/// 1 ms a call, 30 us an empty one, at least 10 us, launches within 10 %, speedup 1.9 to 2.1.
TimingFacts plain() { return {1e-3, 3e-5, 1e-5, 1.1, 1.1, 0.01, 0, {2, 1.9, 2.1, 1.92}}; }

TimingVerdict judged(void (*change)(TimingFacts&)) {
  TimingFacts facts = plain();
  change(facts);
  return judge_timing(facts);
}

TEST(JudgeTiming, BelievesTheDevicesClockWhereTheJudgesAgrees) {
  const auto verdict = [](double judge, double unsure) {
    TimingFacts facts = plain();
    facts.judge_seconds = judge, facts.device_seconds = 50e-6, facts.unsure_seconds = unsure;
    return judge_timing(facts);
  };
  EXPECT_EQ(verdict(74e-6, 0).verdict, Verdict::pass);
  EXPECT_EQ(verdict(76e-6, 0).verdict, Verdict::suspect_fast);
  EXPECT_EQ(verdict(76e-6, 2e-6).verdict, Verdict::pass);
  EXPECT_EQ(verdict(26e-6, 0).verdict, Verdict::pass);
  EXPECT_EQ(verdict(24e-6, 0).verdict, Verdict::inconclusive);
  EXPECT_EQ(verdict(24e-6, 0).doubt, Doubt::machine);
}

TEST(JudgeTiming, AccusesNoKernelOfATimeInWhichTheJudgeWaited) {
  const auto verdict = [](double pressure) {
    TimingFacts facts = plain();
    facts.judge_seconds = 150e-6, facts.device_seconds = 50e-6, facts.pressure = pressure;
    return judge_timing(facts);
  };
  EXPECT_EQ(verdict(0.4).verdict, Verdict::suspect_fast);
  EXPECT_EQ(verdict(0.6).verdict, Verdict::inconclusive);
  EXPECT_EQ(verdict(0.6).doubt, Doubt::machine);
}

TEST(JudgeTiming, AccusesNoKernelOfATimeThatFewLaunchesShow) {
  TimingFacts facts = plain();
  facts.judge_seconds = 150e-6, facts.device_seconds = 50e-6, facts.is_longer_in_most = false;
  EXPECT_EQ(judge_timing(facts).verdict, Verdict::inconclusive);
  EXPECT_EQ(judge_timing(facts).doubt, Doubt::machine);
}

TEST(JudgeTiming, PassesAPlainMeasurement) { EXPECT_EQ(judge_timing(plain()).verdict, Verdict::pass); }

TEST(JudgeTiming, SuspectsWhatIsFasterThanTheMachine) {
  const auto [verdict, why, doubt] = judged([](TimingFacts& f) { f.least_seconds = 2e-3; });
  EXPECT_EQ(verdict, Verdict::suspect_fast);
  EXPECT_EQ(why, "1e+03 us, and 30 us of an empty call, are less than the 2e+03 us that this machine needs for data and products alone");
  EXPECT_EQ(doubt, Doubt::none);
}

TEST(JudgeTiming, SuspectsANanTime) {
  EXPECT_EQ(judge_timing({std::nan(""), 1e-6, 1e-5, 1, 1, 0, 0, {2, 1.9, 2.1, 1.9}}).verdict, Verdict::suspect_fast);
}

TEST(JudgeTiming, DoesNotSuspectWhereTheLimitIsLostInTheHandshake) {
  EXPECT_EQ(judged([](TimingFacts& f) { f.candidate_seconds = 1e-9; }).verdict, Verdict::inconclusive);
}

TEST(JudgeTiming, NeedsTenEmptyCalls) {
  EXPECT_EQ(judged([](TimingFacts& f) { f.candidate_seconds = 3.001e-4; }).verdict, Verdict::pass);
  const auto [verdict, why, doubt] = judged([](TimingFacts& f) { f.candidate_seconds = 2.99e-4; });
  EXPECT_EQ(verdict, Verdict::inconclusive);
  EXPECT_EQ(why, "a call takes 299 us, an empty one 30 us: too short to be timed");
  EXPECT_EQ(doubt, Doubt::length);
}

TEST(JudgeTiming, DoesNotConcludeFromAStolenMachine) {
  EXPECT_EQ(judged([](TimingFacts& f) { f.steal = 0.1; }).verdict, Verdict::pass);
  EXPECT_EQ(judged([](TimingFacts& f) { f.steal = std::nextafter(0.1, 1); }).verdict, Verdict::inconclusive);
  const auto [verdict, why, doubt] = judged([](TimingFacts& f) { f.steal = 0.75; });
  EXPECT_EQ(verdict, Verdict::inconclusive);
  EXPECT_EQ(why, "the hypervisor gave 75 % of the processors' time to others");
  EXPECT_EQ(doubt, Doubt::machine);
}

TEST(JudgeTiming, DoesNotConcludeFromAMachineThatDrifts) {
  EXPECT_EQ(judged([](TimingFacts& f) { f.baseline_drift = 2; }).verdict, Verdict::pass);
  EXPECT_EQ(judged([](TimingFacts& f) { f.baseline_drift = std::nextafter(2, 3); }).verdict, Verdict::inconclusive);
}

TEST(JudgeTiming, DoesNotConcludeFromLaunchesThatDisagree) {
  EXPECT_EQ(judged([](TimingFacts& f) { f.speedup = {2, 1, 4, 1}; }).verdict, Verdict::inconclusive);
  EXPECT_EQ(judged([](TimingFacts& f) { f.speedup = {2, std::nan(""), std::nan(""), 1}; }).verdict, Verdict::inconclusive);
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
    EXPECT_NEAR(two_sided(student_t(degrees, 0.975), static_cast<double>(degrees)), 0.05, 1e-7) << degrees;
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
  const double half = 4.302653 * std::sqrt(0.07 / 3);
  EXPECT_NEAR(speedup.estimate, std::exp(0.3), 1e-12);
  EXPECT_NEAR(speedup.low, std::exp(0.3 - half), 1e-6);
  EXPECT_NEAR(speedup.high, std::exp(0.3 + half), 1e-6);
}

/// A call of `seconds`, an empty one of 1 us, a limit of `least`, on a steady machine.
TimingVerdict judged(double seconds, double least, Speedup speedup = {2, 1.9, 2.1, 1.92}) {
  return judge_timing({seconds, 1e-6, least, 1, 1, 0, 0, speedup});
}

TEST(JudgeTiming, SuspectsBelowTheLimitAndNotAtIt) {
  EXPECT_EQ(judged(10e-6, 10e-6 + 1e-6).verdict, Verdict::pass);
  EXPECT_EQ(judged(10e-6 - 1e-12, 10e-6 + 1e-6).verdict, Verdict::suspect_fast);
}

TEST(JudgeTiming, TimesFromTenEmptyCallsOn) {
  EXPECT_EQ(judged(10e-6, 0).verdict, Verdict::pass);
  EXPECT_EQ(judged(9.99e-6, 0).verdict, Verdict::inconclusive);
  const auto after = [](double seconds) { return judge_timing({seconds, 0x1p-20, 0, 1, 1, 0, 0, {2, 1.9, 2.1, 1.92}}).verdict; };
  EXPECT_EQ(after(10 * 0x1p-20), Verdict::pass);
  EXPECT_EQ(after(std::nextafter(10 * 0x1p-20, 0)), Verdict::inconclusive);
}

TEST(JudgeTiming, ConcludesFromIntervalsOfHalfAsMuchAgain) {
  EXPECT_EQ(judged(1e-3, 0, {2, 1.4, 3, 1.5}).verdict, Verdict::pass);
  EXPECT_EQ(judged(1e-3, 0, {2, 1.4, std::nextafter(3, 4), 1.5}).verdict, Verdict::inconclusive);
  EXPECT_EQ(judged(1e-3, 0, {2, 1, 4, 1.1}).reason,
            "launches disagree: speedup 1 to 4; the candidate's differ by a factor of 1.00, the baseline's by 1.00");
  EXPECT_EQ(judged(1e-3, 0).reason, "");
}

/// 95 % intervals of five launches, the fewest, and of a hundred hold the truth in 95 of 100.
TEST(Speedup, CoverageIsWhatItSays) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(std::log(1.3), 0.05);
  constexpr int kRounds = 20000;
  for (const int launches : {5, 100}) {
    int held = 0, claimed = 0;
    for (int round = 0; round < kRounds; ++round) {
      LogRatios ratios(static_cast<std::size_t>(launches));
      for (double& ratio : ratios) ratio = noise(random);
      const Speedup speedup = speedup_over(ratios);
      held += speedup.low <= 1.3 && 1.3 <= speedup.high;
      claimed += speedup.at_least > 1.3;
    }
    EXPECT_GE(held, 0.945 * kRounds) << launches;
    EXPECT_LE(held, 0.955 * kRounds) << launches;
    EXPECT_LE(claimed, 0.0125 * kRounds) << launches;
  }
}

}  // namespace
}  // namespace assay::timing
