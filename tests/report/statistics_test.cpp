// SPDX-License-Identifier: Apache-2.0
// Each value is worked out by hand in the comment beside it.
#include "assay/report/statistics.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace assay {
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

TEST(BestOf, IsTheExpectedLargestOfK) {
  const std::array values = {3.0, 0.0, 1.0, 2.0};
  EXPECT_NEAR(best_of(values, 1), 1.5, 1e-12);       // the mean: (0+1+2+3)/4
  EXPECT_NEAR(best_of(values, 2), 14.0 / 6, 1e-12);  // pairs' maxima: 1,2,3,2,3,3 = 14, C(4,2) = 6
  EXPECT_NEAR(best_of(values, 3), 2.75, 1e-12);      // triples' maxima: 2,3,3,3 = 11, C(4,3) = 4
  EXPECT_NEAR(best_of(values, 4), 3.0, 1e-12);
}

TEST(BestOf, OneFastSampleOfTwenty) {
  std::vector<double> values(20, 1.0);
  values[7] = 10.0;  // it is among 10 of 20 half the time: (10 + 1) / 2. The slowest of 10 would be 1.
  EXPECT_NEAR(best_of(values, 10), 5.5, 1e-12);
}

TEST(Wilson, HandComputed) {
  // p = 1/2, n = 10, z^2 = 3.841459: centre 1/2, half = 1.959964 sqrt(0.025 + 0.00960365)/1.3841459 =
  // 0.263407
  const Bounds half = wilson(0.5, 10);
  EXPECT_NEAR(half.low, 0.236593, 1e-6);
  EXPECT_NEAR(half.high, 0.763407, 1e-6);
}

TEST(Wilson, AllPassAndAllFailKeepAWidth) {
  const Bounds all = wilson(1.0, 10);  // low = 1/(1 + z^2/n) = 1/1.3841459
  EXPECT_NEAR(all.low, 0.722467, 1e-6);
  EXPECT_NEAR(all.high, 1.0, 1e-12);
  const Bounds none = wilson(0.0, 10);  // mirrored
  EXPECT_NEAR(none.low, 0.0, 1e-12);
  EXPECT_NEAR(none.high, 1 - 0.722467, 1e-6);
  EXPECT_DOUBLE_EQ(wilson(0.5, 0).low, 0.0);
  EXPECT_DOUBLE_EQ(wilson(0.5, 0).high, 1.0);
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
}

TEST(DifferenceInterval, RuleOfThreeWhereAllAgree) {
  const std::vector<double> zeros(30, 0.0);  // +- 3/30
  EXPECT_NEAR(difference_interval(zeros).low, -0.1, 1e-12);
  EXPECT_NEAR(difference_interval(zeros).high, 0.1, 1e-12);
  const std::vector<double> ones(30, 1.0);  // a difference of shares is at most 1
  EXPECT_NEAR(difference_interval(ones).low, 0.9, 1e-12);
  EXPECT_NEAR(difference_interval(ones).high, 1.0, 1e-12);
  EXPECT_DOUBLE_EQ(difference_interval(std::array{0.0}).low, -1.0);  // one task proves nothing
}

TEST(DifferenceInterval, StudentTElsewhere) {
  const std::array values = {0.0, 0.0, 0.0, 0.4};  // mean 0.1, sd 0.2, half = 3.182446 * 0.1
  EXPECT_NEAR(difference_interval(values).low, 0.1 - 0.3182446, 1e-6);
  EXPECT_NEAR(difference_interval(values).high, 0.1 + 0.3182446, 1e-6);
}

}  // namespace
}  // namespace assay
