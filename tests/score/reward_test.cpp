// SPDX-License-Identifier: Apache-2.0
// Rewards, by values worked out by hand.
#include "assay/score/reward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace assay::score {
namespace {

using record::Doubt, record::Record, record::Speedup, record::Stage, record::Verdict;

Record stage_record(Stage of, Verdict verdict) {
  Record record;
  record.stage = of;
  record::set_verdict(record, verdict, "the detail");
  return record;
}

Record timed(Speedup speedup, double efficiency, Verdict verdict = Verdict::pass, Doubt doubt = Doubt::none) {
  Record record = stage_record(Stage::bench, verdict);
  record.speedup = speedup;
  record.efficiency = efficiency;
  record.doubt = doubt;
  return record;
}

const Record kCompiled = stage_record(Stage::compile, Verdict::pass), kTested = stage_record(Stage::test, Verdict::pass);
// Twice as fast, 1.6 to 2.5; at 99 % more than 1.5. A quarter of the roofline.
const Record kTimed = timed({2, 1.6, 2.5, 1.5}, 0.25);

RewardValue value_of(const char* name, const std::vector<Record>& records) {
  const Found found = findings_of(records);
  EXPECT_EQ(found.masked, "");
  return find_reward(name)->of(found.findings);
}
double part(const RewardValue& reward, const std::string& name) {
  for (const auto& [key, value] : reward.parts)
    if (key == name) return value;
  ADD_FAILURE() << "no part " << name;
  return 0;
}

TEST(Rewards, AreListedByName) {
  std::vector<std::string> names;
  for (const Reward& reward : all_rewards()) names.emplace_back(reward.name);
  EXPECT_THAT(names, testing::ElementsAre("correct", "log_speedup", "moka", "roofline"));
  EXPECT_EQ(find_reward("speed"), nullptr);
}

TEST(Rewards, CorrectIsTheGateAlone) {
  EXPECT_EQ(value_of("correct", {kCompiled, kTested}), (RewardValue{1, {{"compiled", 1}, {"correct", 1}}}));
  EXPECT_EQ(value_of("correct", {kCompiled, stage_record(Stage::test, Verdict::wrong_result)}),
            (RewardValue{0, {{"compiled", 1}, {"correct", 0}}}));
  EXPECT_EQ(value_of("correct", {stage_record(Stage::compile, Verdict::compile_error)}),
            (RewardValue{0, {{"compiled", 0}, {"correct", 0}}}));
}

TEST(Rewards, ATimedOutputThatIsWrongIsWrong) {
  const std::vector<Record> records = {kCompiled, kTested, stage_record(Stage::bench, Verdict::suspect_fast)};
  EXPECT_EQ(value_of("correct", records).value, 0);
  EXPECT_EQ(value_of("log_speedup", records).value, 0);
  EXPECT_EQ(value_of("roofline", records).value, 0);
  EXPECT_DOUBLE_EQ(value_of("moka", records).value, 0.3);
}

TEST(Rewards, LogSpeedupReadsTheLowerBound) {
  const RewardValue reward = value_of("log_speedup", {kCompiled, kTested, kTimed});
  EXPECT_NEAR(reward.value, 1.405465, 1e-6);  // 1 + ln 1.5
  EXPECT_NEAR(part(reward, "log_speedup"), 0.405465, 1e-6);
  const auto at_least = [](double bound) {
    return value_of("log_speedup", {kCompiled, kTested, timed({bound, bound, bound, bound}, 1)}).value;
  };
  EXPECT_DOUBLE_EQ(at_least(1), 1);
  EXPECT_NEAR(at_least(0.5), 1 - 0.693147, 1e-6);
  EXPECT_DOUBLE_EQ(at_least(1e-9), 0.1);  // right and very slow is more than wrong
  EXPECT_DOUBLE_EQ(at_least(0), 0.1);
  EXPECT_DOUBLE_EQ(at_least(1e9), 4);
  EXPECT_EQ(value_of("log_speedup", {kCompiled, stage_record(Stage::test, Verdict::crash)}).value, 0);
}

TEST(Rewards, RooflineIsAShare) {
  EXPECT_DOUBLE_EQ(value_of("roofline", {kCompiled, kTested, kTimed}).value, 0.25);
  EXPECT_DOUBLE_EQ(value_of("roofline", {kCompiled, kTested, timed({1, 1, 1, 1}, 1.7)}).value, 1);  // from a cache
  EXPECT_DOUBLE_EQ(value_of("roofline", {kCompiled, stage_record(Stage::test, Verdict::timeout)}).value, 0);
}

TEST(Rewards, MokaIsASumOfThree) {
  EXPECT_DOUBLE_EQ(value_of("moka", {kCompiled, kTested, kTimed}).value, 2.6);  // 0.3 + 0.3 + 2
  EXPECT_DOUBLE_EQ(value_of("moka", {kCompiled, stage_record(Stage::test, Verdict::wrong_result)}).value, 0.3);
  EXPECT_DOUBLE_EQ(value_of("moka", {stage_record(Stage::compile, Verdict::policy)}).value, 0);
}

TEST(Rewards, ACandidateThatDisagreesWithItselfHasItsLowerBound) {
  const Record noisy = timed({2, 1.2, 3.3, 1.5}, 0.5, Verdict::inconclusive, Doubt::candidate);
  EXPECT_NEAR(value_of("log_speedup", {kCompiled, kTested, noisy}).value, 1 + std::log(1.2), 1e-12);
  EXPECT_DOUBLE_EQ(value_of("moka", {kCompiled, kTested, noisy}).value, 1.8);
  EXPECT_DOUBLE_EQ(value_of("roofline", {kCompiled, kTested, noisy}).value, 0.3);  // 0.5 * 1.2 / 2
}

TEST(Findings, OfOurOwnFailureAreNone) {
  for (const std::vector<Record>& records : {std::vector{stage_record(Stage::compile, Verdict::harness_error)},
                                             {kCompiled, stage_record(Stage::test, Verdict::harness_error)},
                                             {kCompiled, kTested, stage_record(Stage::bench, Verdict::harness_error)}})
    EXPECT_EQ(findings_of(records).masked, "HARNESS_ERROR: the detail");
}

TEST(Findings, OfAProblemWhoseTestPassesAnythingAreNone) {
  Record tested = kTested;
  tested.vacuous = true;
  EXPECT_THAT(findings_of({kCompiled, tested}).masked, testing::StartsWith("vacuous: "));
}

TEST(Findings, OfATimingThatSaysNothingHaveNoSpeed) {
  for (const Doubt doubt : {Doubt::none, Doubt::machine, Doubt::length}) {
    const Found found = findings_of({kCompiled, kTested, timed({2, 1, 4, 1}, 1, Verdict::inconclusive, doubt)});
    EXPECT_EQ(found.masked, "");
    EXPECT_EQ(found.masked_speed, "INCONCLUSIVE: the detail");
    EXPECT_TRUE(found.findings.correct);  // which the reward `correct` needs alone
  }
  EXPECT_EQ(findings_of({kCompiled, kTested}).masked_speed, "was not timed");
  EXPECT_EQ(findings_of({kCompiled, kTested, kTimed}).masked_speed, "");
  EXPECT_EQ(findings_of({kCompiled, stage_record(Stage::test, Verdict::crash)}).masked_speed, "");  // nothing to mask: it has no speed
}

TEST(Findings, OfWhatWasNotTestedAreMasked) {
  EXPECT_EQ(findings_of({kCompiled}).masked, "the stage test was not asked for");
  EXPECT_EQ(findings_of({stage_record(Stage::compile, Verdict::compile_error)}).masked, "");
}

}  // namespace
}  // namespace assay::score
