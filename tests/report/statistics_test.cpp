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

std::vector<Choice> by_themselves(const std::vector<double>& values) {
  std::vector<Choice> choices;
  for (const double value : values) choices.push_back({value, value});
  return choices;
}

TEST(BestOf, ChoosesByOneNumberAndCountsTheOther) {
  EXPECT_NEAR(best_of({{3, 1}, {2, 7}}, 2), 1, 1e-12);
  EXPECT_NEAR(best_of({{3, 1}, {2, 7}}, 1), 4, 1e-12);
}

/// Five samples that are equal, each timed with sigma 1, and again: what the largest counts is no larger than they are.
TEST(BestOf, OwesNothingToTheLuckOfTheChoice) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise;
  constexpr int kRounds = 20000, kSamples = 5;
  double once = 0, twice[kSamples + 1] = {};
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Choice> first, both;
    for (int i = 0; i < kSamples; ++i) {
      const double timing = noise(random);
      first.push_back({timing, timing});
      both.push_back({timing, noise(random)});
    }
    once += best_of(first, kSamples) / kRounds;
    for (int k = 1; k <= kSamples; ++k) twice[k] += best_of(both, k) / kRounds;
  }
  EXPECT_NEAR(once, 1.163, 0.03) << "the bias that the second timing is there for";
  for (int k = 1; k <= kSamples; ++k) EXPECT_LT(std::abs(twice[k]), 0.1) << k;
}

TEST(BestOf, IsTheExpectedLargestOfK) {
  const std::vector<Choice> values = by_themselves({3.0, 0.0, 1.0, 2.0});
  EXPECT_NEAR(best_of(values, 1), 1.5, 1e-12);       // the mean: (0+1+2+3)/4
  EXPECT_NEAR(best_of(values, 2), 14.0 / 6, 1e-12);  // pairs' maxima: 1,2,3,2,3,3 = 14, C(4,2) = 6
  EXPECT_NEAR(best_of(values, 3), 2.75, 1e-12);      // triples' maxima: 2,3,3,3 = 11, C(4,3) = 4
  EXPECT_NEAR(best_of(values, 4), 3.0, 1e-12);
}

TEST(BestOf, OneFastSampleOfTwenty) {
  std::vector<double> values(20, 1.0);
  values[7] = 10.0;  // it is among 10 of 20 half the time: (10 + 1) / 2. The slowest of 10 would be 1.
  EXPECT_NEAR(best_of(by_themselves(values), 10), 5.5, 1e-12);
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
