// SPDX-License-Identifier: Apache-2.0
#include "pace.h"

#include <gtest/gtest.h>

namespace assay::generate {
namespace {

TEST(Allowance, IsABurstAndThenARate) {
  Allowance allowance(60, 100);  // one a second, ten at once
  for (int i = 0; i < 10; ++i) {
    EXPECT_DOUBLE_EQ(allowance.free_at(1, 100), 100);
    allowance.spend(1, 100);
  }
  EXPECT_DOUBLE_EQ(allowance.free_at(1, 100), 101);
  EXPECT_DOUBLE_EQ(allowance.free_at(1, 100.5), 101);
  EXPECT_DOUBLE_EQ(allowance.free_at(3, 101), 103);
}

TEST(Allowance, LendsToARequestThatIsLargerThanTheBurst) {
  Allowance allowance(60, 0);
  EXPECT_DOUBLE_EQ(allowance.free_at(1000, 0), 0);
  allowance.spend(1000, 0);
  EXPECT_DOUBLE_EQ(allowance.free_at(1, 0), 991);
  allowance.spend(-990, 0);  // it used ten
  EXPECT_DOUBLE_EQ(allowance.free_at(1, 0), 1);
}

TEST(Allowance, OfNothingIsNoLimit) {
  Allowance allowance(0, 0);
  allowance.spend(1e9, 0);
  EXPECT_DOUBLE_EQ(allowance.free_at(1e9, 5), 5);
}

TEST(Backoff, DoublesUpToItsCap) {
  const Retries retries{8, 1, 60, 600};
  EXPECT_DOUBLE_EQ(backoff(retries, 1, 0), 0.5);
  EXPECT_DOUBLE_EQ(backoff(retries, 1, 1), 1);
  EXPECT_DOUBLE_EQ(backoff(retries, 4, 1), 8);
  EXPECT_DOUBLE_EQ(backoff(retries, 7, 1), 60);
  EXPECT_DOUBLE_EQ(backoff(retries, 1000, 1), 60);
}

TEST(RetryAfter, IsSecondsOrADate) {
  EXPECT_EQ(retry_after(" 7\r\n", 0), 7);
  EXPECT_EQ(retry_after("1.5", 0), 1.5);
  EXPECT_EQ(retry_after("Thu, 01 Jan 1970 00:01:40 GMT", 40), 60);
  EXPECT_EQ(retry_after("Thu, 01 Jan 1970 00:01:40 GMT", 400), 0);
  for (const char* none : {"", " ", "soon", "-1", "nan", "inf", "7 potatoes"}) EXPECT_EQ(retry_after(none, 0), std::nullopt) << none;
}

}  // namespace
}  // namespace assay::generate
