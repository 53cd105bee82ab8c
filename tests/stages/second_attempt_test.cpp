// SPDX-License-Identifier: Apache-2.0
#include "assay/stages/second_attempt.h"

#include <gtest/gtest.h>

#include <functional>

namespace assay::stages {
namespace {

using record::Verdict;
using timing::CandidateFailed;

constexpr bool kKilled = true;

/// Fails as often as it is told to.
struct Launch {
  int failures = 0;
  bool killed = kKilled;
  int made = 0;

  void operator()() {
    ++made;
    if (failures-- > 0) throw CandidateFailed{{Verdict::crash, "boom", killed}};
  }
};

TEST(SecondAttempt, IsNotMadeOfWhatSucceeds) {
  SecondAttempt attempts;
  Launch launch;
  attempts.unless_killed(std::ref(launch));
  EXPECT_EQ(launch.made, 1);
}

TEST(SecondAttempt, IsMadeWhereABoxWasKilled) {
  SecondAttempt attempts;
  Launch launch{1};
  attempts.unless_killed(std::ref(launch));
  EXPECT_EQ(launch.made, 2);
}

TEST(SecondAttempt, IsNotMadeWhereTheCandidateFailed) {
  SecondAttempt attempts;
  Launch launch{1, !kKilled};
  EXPECT_THROW(attempts.unless_killed(std::ref(launch)), CandidateFailed);
  EXPECT_EQ(launch.made, 1);
  Launch killed{1};
  attempts.unless_killed(std::ref(killed));
  EXPECT_EQ(killed.made, 2) << "it is still to be had";
}

TEST(SecondAttempt, MayFailToo) {
  SecondAttempt attempts;
  Launch launch{2};
  EXPECT_THROW(attempts.unless_killed(std::ref(launch)), CandidateFailed);
  EXPECT_EQ(launch.made, 2);
}

TEST(SecondAttempt, IsMadeOnceInAStage) {
  SecondAttempt attempts;
  Launch first{1}, second{1};
  attempts.unless_killed(std::ref(first));
  EXPECT_THROW(attempts.unless_killed(std::ref(second)), CandidateFailed);
  EXPECT_EQ(second.made, 1);
}

}  // namespace
}  // namespace assay::stages
