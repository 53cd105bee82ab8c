// SPDX-License-Identifier: Apache-2.0
// Each value is worked out by hand in the comment beside it.
#include "assay/report/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace assay::report {
namespace {

using record::Folds;

TEST(AtLeastOne, IsOneMinusTheChanceOfDrawingOnlyBadOnes) {
  EXPECT_DOUBLE_EQ(at_least_one(5, 2, 1), 0.4);                // 2/5
  EXPECT_DOUBLE_EQ(at_least_one(5, 2, 2), 0.7);                // 1 - C(3,2)/C(5,2) = 1 - 3/10
  EXPECT_DOUBLE_EQ(at_least_one(5, 2, 3), 0.9);                // 1 - C(3,3)/C(5,3) = 1 - 1/10
  EXPECT_DOUBLE_EQ(at_least_one(5, 2, 4), 1.0);                // C(3,4) = 0
  EXPECT_NEAR(at_least_one(10, 1, 5), 0.5, 1e-12);             // 1 - C(9,5)/C(10,5) = 1 - 126/252
  EXPECT_NEAR(at_least_one(999, 1, 500), 500.0 / 999, 1e-12);  // c = 1 gives k/n, where factorials overflow
}

TEST(AtLeastOne, NoneAndAll) {
  EXPECT_DOUBLE_EQ(at_least_one(5, 0, 5), 0.0);  // not 1.0, which careless code gives for c = 0
  EXPECT_DOUBLE_EQ(at_least_one(5, 5, 1), 1.0);
}

Folds folds_of(const std::vector<double>& logs) {
  Folds folds;
  std::ranges::transform(logs, folds.begin(), [](double log) { return std::exp(log); });
  return folds;
}

/// As of an older record: each fold is the estimate.
Folds estimate_of(const std::vector<double>& logs) { return folds_of(std::vector<double>(5, mean(logs))); }

std::vector<Folds> estimates(const std::vector<double>& speedups) {
  std::vector<Folds> samples;
  for (const double speedup : speedups) samples.push_back({speedup, speedup, speedup, speedup, speedup});
  return samples;
}

/// Of the best of `k` of `n` samples that are all as fast as the baseline and timed by five launches each, in units of `sigma`, the
/// standard error of one's estimate.
double bias_of(int n, int k, double otherwise, double sigma, Folds (*seen)(const std::vector<double>&) = folds_of) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise(0, sigma * std::sqrt(5.0));
  constexpr int kRounds = 10000;
  double bias = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Folds> samples;
    for (int i = 0; i < n; ++i) {
      std::vector<double> launches(5);
      for (double& launch : launches) launch = noise(random);
      samples.push_back(seen(launches));
    }
    bias += (best_of(samples, k, otherwise) - 1) / sigma / kRounds;
  }
  return bias;
}

/// Five launches whose interval is no wider than a factor of 1.5, and so PASS, have a sigma of 0.146 at most.
constexpr std::array sigmas = {0.01, 0.05, 0.146};

TEST(BestOf, OwesNothingToTheLuckOfTheChoice) {
  for (const double sigma : sigmas)
    for (const auto& [n, k] : {std::pair(5, 1), {5, 2}, {5, 5}, {10, 5}})
      EXPECT_LT(std::abs(bias_of(n, k, 0, sigma)), 0.1) << k << " of " << n << ", sigma " << sigma;
  EXPECT_NEAR(bias_of(5, 5, 0, 0.01, estimate_of), 1.163, 0.03) << "what the estimates alone would say";
}

TEST(BestOf, OwesNothingToTheBaselinesStay) {
  for (const double sigma : sigmas)
    for (const auto& [n, k] : {std::pair(1, 1), {5, 1}, {5, 2}, {5, 5}})
      EXPECT_LT(std::abs(bias_of(n, k, 1, sigma)), 0.1) << k << " of " << n << ", sigma " << sigma;
  EXPECT_NEAR(bias_of(1, 1, 1, 0.01, estimate_of), 0.399, 0.03) << "what max(estimate, 1) would say: 1 / sqrt(2 pi)";
}

TEST(BestOf, ThatAllFoldsChooseCountsItsEstimate) {
  const std::vector<Folds> samples = {folds_of({0.1, 0.2, 0, 0.1, 0.1}), folds_of({0.5, 0.7, 0.6, 0.8, 0.4}), Folds{}};
  EXPECT_NEAR(best_of(samples, 3, 0), std::exp(0.6), 1e-14);
  EXPECT_NEAR(best_of(samples, 3, 1), std::exp(0.6), 1e-14);
  EXPECT_NEAR(best_of(samples, 2, 0), (2 * std::exp(0.6) + std::exp(0.1)) / 3, 1e-14);  // two pairs hold the second, one does not
}

/// Estimates A = e^0.06, B = e^0.04, C = 1/e. The sums of the other folds rank b first where fold 0 is held out (0.1 against 0.2), else a
/// (0.3 against 0.1, 0.15 and 0.2, and 0.2 against 0.15). c is last. What counts is the estimate, 1 + how far the held fold is above it.
TEST(BestOf, ThreeByHand) {
  const double A = std::exp(0.06), B = std::exp(0.04), C = std::exp(-1);
  const std::vector<Folds> samples = {folds_of({0.2, 0, 0, 0, 0.1}), folds_of({0, 0.1, 0.05, 0, 0.05}), folds_of({-1, -1, -1, -1, -1})};
  EXPECT_NEAR(best_of(samples, 3, 0), (0.96 * B + (0.94 + 0.94 + 0.94 + 1.04) * A) / 5, 1e-12);
  // Of three pairs two hold the first, and one the second and third: B where it is first as above, and A 1.14 where it is second.
  EXPECT_NEAR(best_of(samples, 2, 0), (2 * (0.96 * B + 3.86 * A) + 1.14 * A + (1.06 + 1.01 + 0.96 + 1.01) * B) / 15, 1e-12);
  EXPECT_NEAR(best_of(samples, 1, 0), (A + B + C) / 3, 1e-12);
  EXPECT_NEAR(best_of(samples, 1, 1), (A + B + 1) / 3, 1e-12);
}

/// The others' sums are -0.2 without fold 0, where the baseline stays, else 0.1, 0.1, 0.2 and 0.2; the estimate is e^0.02.
TEST(BestOf, BaselineStaysWhereTheOtherFoldsAreNoFaster) {
  const std::vector<Folds> sample = {folds_of({0.3, 0, 0, -0.1, -0.1})};
  EXPECT_NEAR(best_of(sample, 1, 1), (1 + (0.98 + 0.98 + 0.88 + 0.88) * std::exp(0.02)) / 5, 1e-12);
  EXPECT_NEAR(best_of(sample, 1, 0), std::exp(0.02), 1e-12);
  EXPECT_EQ(best_of(estimates({1}), 1, 1), 1);
}

TEST(BestOf, IsTheExpectedLargestOfK) {
  const std::vector<Folds> samples = estimates({3.0, 0.0, 1.0, 2.0});
  EXPECT_NEAR(best_of(samples, 1, 0), 1.5, 1e-12);       // the mean: (0+1+2+3)/4
  EXPECT_NEAR(best_of(samples, 2, 0), 14.0 / 6, 1e-12);  // pairs' maxima: 1,2,3,2,3,3 = 14, C(4,2) = 6
  EXPECT_NEAR(best_of(samples, 3, 0), 2.75, 1e-12);      // triples' maxima: 2,3,3,3 = 11, C(4,3) = 4
  EXPECT_NEAR(best_of(samples, 4, 0), 3.0, 1e-12);
  EXPECT_NEAR(best_of(samples, 2, 1), 14.0 / 6, 1e-12);
  EXPECT_NEAR(best_of(samples, 1, 1), 1.75, 1e-12);  // (1+1+2+3)/4
}

TEST(BestOf, OneFastSampleOfMany) {
  std::vector<double> values(20, 1.0);
  values[7] = 10.0;  // it is among 10 of 20 half the time: (10 + 1) / 2. The slowest of 10 would be 1.
  EXPECT_NEAR(best_of(estimates(values), 10, 0), 5.5, 1e-12);
  values.resize(400, 1.0);  // one time in four among 100
  EXPECT_NEAR(best_of(estimates(values), 100, 0), 3.25, 1e-12);
}

TEST(BestOf, OfFailuresIsNothingOrTheBaseline) {
  EXPECT_EQ(best_of(estimates({0, 0, 0}), 2, 0), 0);
  EXPECT_EQ(best_of(estimates({0, 0, 0}), 2, 1), 1);
}

/// Newcombe 1998, table I, method 4.
TEST(Wilson, AsPublished) {
  const auto expect = [](double successes, double trials, double low, double high) {
    const Bounds bounds = wilson(successes / trials, trials);
    EXPECT_NEAR(bounds.low, low, 5e-5) << successes;
    EXPECT_NEAR(bounds.high, high, 5e-5) << successes;
  };
  expect(81, 263, 0.2535, 0.3682);
  expect(15, 148, 0.0598, 0.1644);
  expect(0, 20, 0, 0.2005);
  expect(1, 29, 0.0018, 0.1963);
}

TEST(Wilson, AllPassAndAllFailKeepAWidth) {
  const Bounds all = wilson(1.0, 20), none = wilson(0.0, 20);
  EXPECT_NEAR(all.low, 1 - 0.2005, 5e-5);
  EXPECT_DOUBLE_EQ(all.high, 1.0);
  EXPECT_DOUBLE_EQ(none.low, 0.0);
  EXPECT_DOUBLE_EQ(wilson(0.5, 0).low, 0.0);
  EXPECT_DOUBLE_EQ(wilson(0.5, 0).high, 1.0);
}

/// pass@1 of 14 tasks with a chance of their own each, and n samples: the interval is for that mean of chances.
TEST(Wilson, CoverageIsAtLeastWhatItSays) {
  std::mt19937_64 random(3);
  constexpr int kRounds = 20000, kTasks = 14;
  for (const int n : {1, 5}) {
    for (const double middle : {0.05, 0.3, 0.5, 0.9}) {
      double truth = 0;
      std::vector<double> chances;
      for (int task = 0; task < kTasks; ++task) {
        chances.push_back(std::clamp(middle + 0.04 * (task % 3 - 1), 0.0, 1.0));
        truth += chances.back() / kTasks;
      }
      int held = 0;
      for (int round = 0; round < kRounds; ++round) {
        double seen = 0;
        for (const double chance : chances) seen += std::binomial_distribution<int>(n, chance)(random) / static_cast<double>(n * kTasks);
        const Bounds bounds = wilson(seen, n * kTasks);
        held += bounds.low <= truth && truth <= bounds.high;
      }
      EXPECT_GE(held, 0.945 * kRounds) << n << " samples, chances about " << middle;
    }
  }
}

TEST(TInterval, CoverageIsWhatItSays) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0.4, 0.3);
  constexpr int kRounds = 20000;
  for (const int tasks : {3, 14}) {
    int held = 0;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<double> values(static_cast<std::size_t>(tasks));
      for (double& value : values) value = noise(random);
      const auto bounds = t_interval(values);
      held += bounds && bounds->low <= 0.4 && 0.4 <= bounds->high;
    }
    EXPECT_GE(held, 0.945 * kRounds) << tasks;
  }
}

/// Differences of pass@1 of two runs: mostly none, some tasks won and lost.
TEST(DifferenceInterval, CoverageIsWhatItSays) {
  std::mt19937_64 random(9);
  constexpr int kRounds = 20000, kTasks = 14, kSamples = 5;
  int held = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> differences;
    for (int task = 0; task < kTasks; ++task)
      differences.push_back(
          (std::binomial_distribution<int>(kSamples, 0.6)(random) - std::binomial_distribution<int>(kSamples, 0.5)(random)) /
          static_cast<double>(kSamples));
    const Bounds bounds = difference_interval(differences);
    held += bounds.low <= 0.1 && 0.1 <= bounds.high;
  }
  EXPECT_GE(held, 0.945 * kRounds);
}

TEST(StudentT, ClosedFormsAndTables) {
  EXPECT_NEAR(student_t(1), std::tan(0.475 * std::acos(-1.0)), 1e-6);  // df 1 is Cauchy: tan(pi (p - 1/2))
  EXPECT_NEAR(student_t(2), 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)),
              1e-6);  // df 2: a sqrt(2/(1-a^2)), a = 2p - 1
  EXPECT_NEAR(student_t(30), 2.042272, 1e-6);
  EXPECT_NEAR(student_t(31), 2.039513, 2e-6);  // printed tables
  EXPECT_NEAR(student_t(60), 2.000298, 2e-6);
  EXPECT_NEAR(student_t(1'000'000), normal_quantile, 1e-5);
  for (int df = 2; df < 100; ++df) EXPECT_LT(student_t(df), student_t(df - 1)) << df;
}

TEST(TInterval, HandComputed) {
  const std::array values = {1.0, 2.0, 3.0};  // mean 2, sd 1, half = 4.302653/sqrt(3) = 2.484138
  const auto bounds = t_interval(values);
  ASSERT_TRUE(bounds);
  EXPECT_NEAR(bounds->low, 2 - 2.484138, 1e-6);
  EXPECT_NEAR(bounds->high, 2 + 2.484138, 1e-6);
}

TEST(TInterval, NothingToTellTheSpreadFrom) {
  EXPECT_FALSE(t_interval(std::array{1.0}));
  EXPECT_FALSE(t_interval(std::array{2.0, 2.0, 2.0}));
  EXPECT_FALSE(t_interval(std::array{0.1 + 0.2, 0.3, 0.3})) << "equal, but for a rounding";
}

TEST(DifferenceInterval, RuleOfThreeWhereAllAgree) {
  const std::vector<double> zeros(30, 0.0);  // +- 3/30
  EXPECT_NEAR(difference_interval(zeros).low, -0.1, 1e-12);
  EXPECT_NEAR(difference_interval(zeros).high, 0.1, 1e-12);
  const std::vector<double> ones(30, 1.0);  // a difference of shares is at most 1
  EXPECT_NEAR(difference_interval(ones).low, 0.9, 1e-12);
  EXPECT_NEAR(difference_interval(ones).high, 1.0, 1e-12);
  EXPECT_DOUBLE_EQ(difference_interval(std::array{0.0}).low, -1.0);        // one task proves nothing
  const std::array fifths = {0.4 - 0.6, 0.6 - 0.8, 0.0 - 0.2, 0.8 - 1.0};  // -0.2, but for a rounding
  EXPECT_NEAR(difference_interval(fifths).low, -0.95, 1e-9);
  EXPECT_NEAR(difference_interval(fifths).high, 0.55, 1e-9);
}

TEST(DifferenceInterval, StudentTElsewhere) {
  const std::array values = {0.0, 0.0, 0.0, 0.4};  // mean 0.1, sd 0.2, half = 3.182446 * 0.1
  EXPECT_NEAR(difference_interval(values).low, 0.1 - 0.3182446, 1e-6);
  EXPECT_NEAR(difference_interval(values).high, 0.1 + 0.3182446, 1e-6);
}

}  // namespace
}  // namespace assay::report
