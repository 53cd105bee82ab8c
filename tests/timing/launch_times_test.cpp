// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/launch_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "assay/timing/paired_timing.h"

namespace assay::timing {
namespace {

TEST(Effort, IsOfThreeKinds) {
  const auto effort = [](const char* name) { return std::pair(effort_of(name).launches, effort_of(name).pairs); };
  EXPECT_EQ(effort("quick"), std::pair(5, 4));
  EXPECT_EQ(effort("standard"), std::pair(100, 16));
  EXPECT_EQ(effort("publish"), std::pair(200, 16));
  EXPECT_THAT([] { effort_of("slow"); },
              testing::ThrowsMessage<std::runtime_error>("bench: unknown effort 'slow'. known: quick standard publish"));
}

TEST(Processors, DrawOnAll) {
  EXPECT_THAT(all_of({.judge = 3, .boxes = {0, 1}}), testing::ElementsAre(0, 1, 3));
  EXPECT_THAT(all_of({.judge = 1, .boxes = {0, 1}}), testing::ElementsAre(0, 1)) << "the judge's is a box's too";
  EXPECT_EQ(threads_of({.judge = 3, .boxes = {0, 1}}), 2);
}

TEST(BalancedOrders, HaveAsManyOfEitherAndEveryPlaceHasBoth) {
  cases::RandomStream random(cases::fresh_seed(), {"order"});
  constexpr int kDraws = 2000, kPairs = 6;
  std::array<int, kPairs> first{};
  std::set<std::vector<bool>> seen;
  for (int i = 0; i < kDraws; ++i) {
    const std::vector<bool> orders = balanced_orders(kPairs, random);
    ASSERT_EQ(orders.size(), kPairs);
    ASSERT_EQ(std::ranges::count(orders, true), kPairs / 2);
    for (int place = 0; place < kPairs; ++place) first[place] += orders[place];
    seen.insert(orders);
  }
  // Six standard deviations of a fair coin.
  for (const int count : first) EXPECT_NEAR(count, kDraws / 2, 6 * std::sqrt(kDraws / 4.0));
  EXPECT_EQ(seen.size(), 20u) << "three of six";
  EXPECT_THAT(balanced_orders(1, random), testing::ElementsAre(true));
  EXPECT_THAT(balanced_orders(0, random), testing::IsEmpty());
}

TEST(EndOfBatch, IsWhereTheLayoutChanges) {
  const auto call = [](std::size_t input, std::int64_t output) {
    cases::PreparedCase made;
    made.inputs.emplace_back(input);
    made.outputs.emplace_back();
    made.outputs.back().shape = {output};
    return made;
  };
  const std::vector<cases::PreparedCase> calls = {call(8, 4), call(8, 4), call(8, 5), call(8, 5), call(9, 5), call(8, 4), call(8, 4)};
  const auto end = [&](std::size_t begin, std::size_t most = 32) { return end_of_batch(calls, begin, most); };
  EXPECT_EQ(end(0), 2u);
  EXPECT_EQ(end(1), 2u);
  EXPECT_EQ(end(2), 4u);
  EXPECT_EQ(end(4), 5u);
  EXPECT_EQ(end(5), 7u);
  EXPECT_EQ(end(0, 1), 1u);
  EXPECT_EQ(end(0, 2), 2u);
  EXPECT_EQ(end(5, 2), 7u) << "so many from where it begins";
  EXPECT_EQ(end_of_batch(std::span(calls).first(6), 5, 32), 6u);
}

TEST(ShapeTimes, GatherWhatLaunchesShow) {
  LaunchTimes first, second;
  first.pairs = {{1, 2}, {3, 12}, {2, 8}};
  first.overhead = 0.25, first.device = {5, 6, 7};
  first.clocks = {3, 30, 20, 10};
  first.states.resize(2);
  second.pairs = {{4, 4}};
  second.overhead = 0.5, second.device = {8};
  second.states.resize(1);
  ShapeTimes times;
  times.add(first);
  times.add(second);
  using testing::ElementsAre;
  EXPECT_THAT(times.candidate, ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(times.baseline, ElementsAre(2, 12, 8, 4));
  EXPECT_THAT(times.candidate_launches, ElementsAre(2, 4));
  EXPECT_THAT(times.baseline_launches, ElementsAre(8, 4));
  EXPECT_THAT(times.log_ratios, ElementsAre(log_ratio(first.pairs), 0));
  EXPECT_THAT(times.overheads, ElementsAre(0.25, 0.5));
  EXPECT_THAT(times.device, ElementsAre(5, 6, 7, 8));
  ASSERT_EQ(times.clocks.size(), 2u);
  EXPECT_EQ(times.clocks[0].judge, 30);
  EXPECT_EQ(times.clocks[1].calls, 0u);
  EXPECT_EQ(times.states.size(), 3u);
}

TEST(Clocks, MayDifferByATenthTwentyMicrosecondsAndWhatEmptyBatchesDifferBy) {
  const auto apart = [](double judge) { return Clocks{10, judge, 1000e-6, 50e-6}.apart(); };  // 100 us a call: 10 + 20 + 5 us
  EXPECT_EQ(apart(1000e-6), 0);
  EXPECT_EQ(Clocks{}.apart(), 0);
  EXPECT_EQ(apart(1349e-6), 0);
  EXPECT_NEAR(apart(1360e-6), 1e-6, 1e-9);
  EXPECT_EQ(apart(651e-6), 0);
  EXPECT_NEAR(apart(640e-6), 1e-6, 1e-9);
}

}  // namespace
}  // namespace assay::timing
