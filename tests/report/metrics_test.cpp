// SPDX-License-Identifier: Apache-2.0
#include "assay/report/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "assay/report/statistics.h"
#include "made_results.h"

namespace assay::report {
namespace {

Estimate value_of(const Results& results, const std::string& name, MetricSettings settings = {}) {
  std::vector<const Problem*> problems;
  for (const Problem& problem : results.problems) problems.push_back(&problem);
  for (const Column& column : columns(settings))
    if (column.name == name) return evaluate(column, problems);
  throw std::invalid_argument(name);
}

/// relu: does not compile, wrong, 2x, 4x (low 0.9). gelu: four wrong.
Results two_tasks() {
  MadeEvaluation made;
  made.does_not_compile("m.relu.cpp.000").wrong("m.relu.cpp.001").correct("m.relu.cpp.002", 2, 1.9, 2.1);
  made.correct("m.relu.cpp.003", 4, 0.9, 9);
  for (int i = 0; i < 4; ++i) made.wrong("m.gelu.cpp.00" + std::to_string(i));
  return made.results();
}

TEST(Metrics, SharesByHand) {
  const MetricSettings settings{{1, 2}, 1.0, {1.0, 1.5}};
  const Results results = two_tasks();
  EXPECT_DOUBLE_EQ(value_of(results, "compile@1", settings).value, 0.875);  // (3/4 + 4/4) / 2
  EXPECT_DOUBLE_EQ(value_of(results, "compile@2", settings).value, 1.0);    // 1 - C(1,2)/C(4,2) = 1, and 1
  EXPECT_DOUBLE_EQ(value_of(results, "pass@1", settings).value, 0.25);      // (2/4 + 0) / 2
  EXPECT_NEAR(value_of(results, "pass@2", settings).value, 5.0 / 12,
              1e-12);  // (1 - C(2,2)/C(4,2) + 0) / 2 = (5/6)/2
  EXPECT_DOUBLE_EQ(value_of(results, "speedup_1@1", settings).value,
                   0.125);  // only the 2x has low > 1: (1/4 + 0)/2
  EXPECT_DOUBLE_EQ(value_of(results, "speedup_1@2", settings).value,
                   0.25);                                                  // (1 - C(3,2)/C(4,2))/2 = (1/2)/2
  EXPECT_DOUBLE_EQ(value_of(results, "fast_1.5", settings).value, 0.125);  // 1 of 8 samples
}

TEST(Metrics, SpeedupsByHand) {
  const MetricSettings settings{{1, 2}, 1.0, {}};
  const Results results = two_tasks();
  EXPECT_DOUBLE_EQ(value_of(results, "best_speedup@1", settings).value, 0.75);  // ((0+0+2+4)/4 + 0)/2
  EXPECT_NEAR(value_of(results, "best_speedup@2", settings).value, 8.0 / 6,
              1e-12);  // maxima 0,2,4,2,4,4 = 16: (16/6 + 0)/2
  EXPECT_NEAR(value_of(results, "geomean_speedup", settings).value, std::sqrt(8.0),
              1e-12);  // sqrt(2 * 4), gelu has none
  EXPECT_EQ(value_of(results, "geomean_speedup", settings).problems, 1);
  // Baseline kept: 1,1,2,4 -> mean 2; gelu 1; geometric mean sqrt(2 * 1)
  EXPECT_NEAR(value_of(results, "fallback_speedup@1", settings).value, std::sqrt(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(value_of(results, "efficiency", settings).value, 0.5);
}

TEST(Metrics, AThresholdIsExceededNotReached) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 1.6, 1.5, 1.7);
  const MetricSettings settings{{1}, 1.5, {1.4, 1.5}};
  EXPECT_DOUBLE_EQ(value_of(made.results(), "speedup_1.5@1", settings).value, 0.0);
  EXPECT_DOUBLE_EQ(value_of(made.results(), "fast_1.5", settings).value, 0.0);
  EXPECT_DOUBLE_EQ(value_of(made.results(), "fast_1.4", settings).value, 1.0);
}

TEST(Metrics, AClaimIsTheOneSidedBound) {
  MadeEvaluation made;
  made.untimed("m.relu.cpp.000")
      .test("m.relu.cpp.000.bench", TestStatus::run,
            made_record("m.relu.cpp.000.bench", {{"speedup", {{"estimate", 1.1}, {"low", 0.98}, {"high", 1.2}, {"at_least", 1.01}}}}));
  EXPECT_DOUBLE_EQ(value_of(made.results(), "speedup_1@1").value, 1.0);
  EXPECT_DOUBLE_EQ(value_of(made.results(), "fast_1").value, 1.0);
}

/// A sample that is right, and whose launches' fifths had these logarithms of speedups.
MadeEvaluation& timed(MadeEvaluation& made, const std::string& sample, const std::vector<double>& logs) {
  std::vector<double> folds;
  for (const double log : logs) folds.push_back(std::exp(log));
  const double estimate = std::exp(mean(logs));
  return made.untimed(sample).test(
      sample + ".bench", TestStatus::run,
      made_record(sample + ".bench",
                  {{"folds", folds}, {"speedup", {{"estimate", estimate}, {"low", estimate / 2}, {"high", estimate * 2}}}}));
}

/// As in statistics_test.cpp: without its first fold 000 (0.1) is behind 001 (0.2), else before it.
TEST(Metrics, TheBestAreChosenByOtherFoldsThanCount) {
  MadeEvaluation made;
  timed(made, "m.relu.cpp.000", {0.2, 0, 0, 0, 0.1});
  timed(made, "m.relu.cpp.001", {0, 0.1, 0.05, 0, 0.05});
  made.wrong("m.relu.cpp.002");
  const double first = std::exp(0.06), second = std::exp(0.04), chosen = (0.96 * second + 3.86 * first) / 5;
  const MetricSettings settings{{1, 3}, 1.0, {}};
  EXPECT_NEAR(value_of(made.results(), "best_speedup@3", settings).value, chosen, 1e-12);
  EXPECT_NEAR(value_of(made.results(), "fallback_speedup@3", settings).value, chosen, 1e-12);
  EXPECT_NEAR(value_of(made.results(), "best_speedup@1", settings).value, (first + second) / 3, 1e-12) << "no choice";
  EXPECT_NEAR(value_of(made.results(), "geomean_speedup", settings).value, std::exp(0.05), 1e-12) << "no choice";
}

TEST(Metrics, AnOlderRecordWithoutFoldsCountsItsEstimate) {
  MadeEvaluation made;
  timed(made.correct("m.relu.cpp.000", 3), "m.relu.cpp.001", {0.2, 0, 0, 0, 0.1});
  EXPECT_NEAR(value_of(made.results(), "best_speedup@2", {{2}, 1.0, {}}).value, 3, 1e-12);
  EXPECT_NEAR(value_of(made.results(), "best_speedup@1").value, (3 + std::exp(0.06)) / 2, 1e-12);
}

TEST(Metrics, TheBaselineStaysWhereTheOtherFoldsAreNoFaster) {
  MadeEvaluation made;
  timed(made, "m.relu.cpp.000", {0.3, 0, 0, -0.1, -0.1});
  EXPECT_NEAR(value_of(made.results(), "fallback_speedup@1").value, (1 + 3.72 * std::exp(0.02)) / 5, 1e-12);
  EXPECT_NEAR(value_of(made.results(), "best_speedup@1").value, std::exp(0.02), 1e-12);
}

TEST(Metrics, FastWeighsSamplesAndPassWeighsTasks) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).wrong("m.gelu.cpp.000").wrong("m.gelu.cpp.001").wrong("m.gelu.cpp.002");
  EXPECT_DOUBLE_EQ(value_of(made.results(), "fast_1").value, 0.25);      // 1 of 4 samples
  EXPECT_DOUBLE_EQ(value_of(made.results(), "speedup_1@1").value, 0.5);  // (1 + 0) / 2 tasks
}

TEST(Metrics, ShareIntervalIsWilsonOverEffectiveTrials) {
  const MetricSettings settings{{1, 2}, 1.0, {}};
  // M = 2 tasks of n = 4: trials M^2 / (2 k/4) = 8/k
  const Estimate first = value_of(two_tasks(), "pass@1", settings);
  EXPECT_NEAR(*first.low, wilson(0.25, 8).low, 1e-12);
  EXPECT_NEAR(*first.high, wilson(0.25, 8).high, 1e-12);
  const Estimate both = value_of(two_tasks(), "pass@2", settings);
  EXPECT_NEAR(*both.low, wilson(5.0 / 12, 4).low, 1e-12);
  EXPECT_EQ(first.samples, 8);
}

TEST(Metrics, SpeedupIntervalIsStudentTOverTasksOnTheLogarithm) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 1).correct("m.gelu.cpp.000", std::exp(2.0));
  // logs 0 and 2: mean 1, sd sqrt(2), half = 12.7062047 * sqrt(2)/sqrt(2)
  const Estimate estimate = value_of(made.results(), "geomean_speedup");
  EXPECT_NEAR(estimate.value, std::exp(1.0), 1e-9);
  EXPECT_NEAR(std::log(*estimate.low), 1 - 12.7062047, 1e-6);
  EXPECT_NEAR(std::log(*estimate.high), 1 + 12.7062047, 1e-6);
}

TEST(Metrics, RefusedWhereATaskHasTooFewSamples) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).correct("m.relu.cpp.001", 2).correct("m.gelu.cpp.000", 2);
  const Estimate estimate = value_of(made.results(), "pass@2", {{1, 2}, 1.0, {}});
  EXPECT_EQ(estimate.state, EstimateState::refused);
  EXPECT_EQ(estimate.reason, "n<k: gelu/cpp has 1 counted of 1 samples, pass@2 needs 2");
  EXPECT_EQ(value_of(made.results(), "pass@1").state, EstimateState::value);
}

TEST(Metrics, HarnessErrorIsLeftOutOfN) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).wrong("m.relu.cpp.001").not_judged("m.relu.cpp.002");
  const MetricSettings settings{{1, 3}, 1.0, {}};
  EXPECT_DOUBLE_EQ(value_of(made.results(), "pass@1", settings).value, 0.5);     // 1 of the 2 judged
  EXPECT_DOUBLE_EQ(value_of(made.results(), "compile@1", settings).value, 1.0);  // it did compile
  EXPECT_EQ(value_of(made.results(), "compile@1", settings).samples, 3);
  EXPECT_EQ(value_of(made.results(), "pass@3", settings).state, EstimateState::refused);
}

TEST(Metrics, WithoutBenchSpeedupsAreNotRunRatherThanZero) {
  MadeEvaluation made;
  made.untimed("m.relu.cpp.000").wrong("m.relu.cpp.001");
  EXPECT_DOUBLE_EQ(value_of(made.results(), "pass@1").value, 0.5);
  const Estimate speed = value_of(made.results(), "speedup_1@1");
  EXPECT_EQ(speed.state, EstimateState::not_run);
  EXPECT_EQ(speed.reason, "bench of m.relu.cpp.000 was not run");
}

TEST(Metrics, ProblemsWithoutAStageBenchAreInNoMetricOfSpeed) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).without_bench("m.queue.program.000", "PASS").without_bench("m.stack.program.000", "WRONG_RESULT");
  EXPECT_DOUBLE_EQ(value_of(made.results(), "pass@1").value, 2.0 / 3);
  EXPECT_DOUBLE_EQ(value_of(made.results(), "speedup_1@1").value, 1);
  EXPECT_DOUBLE_EQ(value_of(made.results(), "geomean_speedup").value, 2);
  EXPECT_EQ(value_of(made.results(), "geomean_speedup").problems, 1);
  EXPECT_EQ(tasks_without_bench(made.results()), (std::vector<std::string>{"queue", "stack"}));

  MadeEvaluation alone;
  alone.without_bench("m.queue.program.000", "PASS");
  const Estimate speed = value_of(alone.results(), "geomean_speedup");
  EXPECT_EQ(speed.state, EstimateState::empty);
  EXPECT_EQ(speed.reason, "no problem has a stage bench");
}

/// A sample that is right, and whose timing came out as `doubt`, at a speedup of 3 in [1.2, 7].
MadeEvaluation& doubted(MadeEvaluation& made, const std::string& sample, const std::string& doubt) {
  return made.untimed(sample).test(
      sample + ".bench", TestStatus::run,
      made_record(sample + ".bench", {{"verdict", "INCONCLUSIVE"},
                                      {"doubt", doubt},
                                      {"detail", "noise at " + sample},
                                      {"efficiency", 0.6},
                                      {"folds", {1.0, 2.0, 3.0, 6.0, 6.75}},
                                      {"speedup", {{"estimate", 3.0}, {"low", 1.2}, {"high", 7.0}, {"at_least", 1.1}}}}));
}

TEST(Metrics, TheMachinesNoiseLeavesASampleOutOfTimingsAlone) {
  for (const char* doubt : {"machine", "length"}) {
    MadeEvaluation made;
    doubted(made.correct("m.relu.cpp.000", 3), "m.relu.cpp.001", doubt);
    EXPECT_DOUBLE_EQ(value_of(made.results(), "pass@1").value, 1.0);
    for (const char* metric : {"best_speedup@1", "fallback_speedup@1", "geomean_speedup"}) {
      const Estimate estimate = value_of(made.results(), metric);
      EXPECT_NEAR(estimate.value, 3, 1e-12) << metric;
      EXPECT_EQ(estimate.untimed, 1) << metric;
      EXPECT_EQ(estimate.samples, 1) << metric;
    }
    EXPECT_DOUBLE_EQ(value_of(made.results(), "speedup_1@1").value, 1.0);
  }
}

/// One of four is wrong, three are right and fast, one of them is untimed: 3 of 4, not 2 of 3.
TEST(Metrics, FailuresKeepTheirShareBesideUntimedSamples) {
  MadeEvaluation made;
  doubted(made.correct("m.relu.cpp.000", 3).correct("m.relu.cpp.001", 3).wrong("m.relu.cpp.002"), "m.relu.cpp.003", "machine");
  EXPECT_DOUBLE_EQ(value_of(made.results(), "speedup_1@1").value, 0.75);
  EXPECT_DOUBLE_EQ(value_of(made.results(), "best_speedup@1").value, 2.25);
  EXPECT_EQ(value_of(made.results(), "speedup_1@1").samples, 3);
  MadeEvaluation fewer;
  doubted(fewer.correct("m.relu.cpp.000", 3).wrong("m.relu.cpp.001"), "m.relu.cpp.002", "machine");
  EXPECT_DOUBLE_EQ(value_of(fewer.results(), "fast_1").value, 2.0 / 3);
}

TEST(Metrics, FailuresAloneSayNothingOfUntimedSamples) {
  MadeEvaluation made;
  doubted(made.wrong("m.relu.cpp.000").wrong("m.relu.cpp.001"), "m.relu.cpp.002", "machine");
  EXPECT_EQ(value_of(made.results(), "speedup_1@1").state, EstimateState::untimed);
}

TEST(Metrics, WithoutATimingTheyAreUntimedAndNotZero) {
  MadeEvaluation made;
  doubted(doubted(made, "m.relu.cpp.000", "machine"), "m.relu.cpp.001", "machine");
  for (const char* metric : {"best_speedup@1", "speedup_1@1", "geomean_speedup", "efficiency"}) {
    const Estimate estimate = value_of(made.results(), metric);
    EXPECT_EQ(estimate.state, EstimateState::untimed) << metric;
    EXPECT_THAT(estimate.reason, ::testing::HasSubstr("not timed: relu/cpp has no right sample that was timed: noise at m.relu.cpp.000"))
        << metric;
  }
}

TEST(Metrics, ACandidateThatDisagreesWithItselfCountsWithItsLowerBound) {
  MadeEvaluation made;
  doubted(made, "m.relu.cpp.000", "candidate");
  for (const char* metric : {"best_speedup@1", "fallback_speedup@1", "geomean_speedup"}) {
    const Estimate estimate = value_of(made.results(), metric);
    EXPECT_NEAR(estimate.value, 1.2, 1e-12) << metric;
    EXPECT_EQ(estimate.bounded, 1) << metric;
  }
  EXPECT_NEAR(value_of(made.results(), "efficiency").value, 0.24, 1e-12);
  EXPECT_DOUBLE_EQ(value_of(made.results(), "speedup_1@1").value, 1.0) << "1.1 at least";
  made.correct("m.relu.cpp.001", 1.3);
  EXPECT_NEAR(value_of(made.results(), "best_speedup@2", {{2}, 1.0, {}}).value, 1.3, 1e-12) << "3 chooses nothing";
}

TEST(Metrics, BenchCanConvict) {
  MadeEvaluation made;
  made.untimed("m.relu.cpp.000")
      .test("m.relu.cpp.000.bench", TestStatus::fail, made_record("m.relu.cpp.000.bench", {{"verdict", "SUSPECT_FAST"}}));
  EXPECT_DOUBLE_EQ(value_of(made.results(), "pass@1").value, 0.0);
  EXPECT_DOUBLE_EQ(value_of(made.results(), "best_speedup@1").value, 0.0);
}

TEST(Metrics, ABenchThatWasNotJudgedLeavesThePassOpen) {
  MadeEvaluation made;
  made.untimed("m.relu.cpp.000").output("m.relu.cpp.000.bench", TestStatus::fail, "", "Timeout");
  made.wrong("m.relu.cpp.001");
  const Estimate pass = value_of(made.results(), "pass@1");
  EXPECT_DOUBLE_EQ(pass.value, 0.0);
  EXPECT_EQ(pass.samples, 1);
}

TEST(Metrics, AllFailHasAnIntervalForSharesAndNoneForSpeedups) {
  MadeEvaluation made;
  made.wrong("m.relu.cpp.000").wrong("m.gelu.cpp.000");
  const Estimate pass = value_of(made.results(), "pass@1");
  EXPECT_DOUBLE_EQ(pass.value, 0);
  EXPECT_NEAR(*pass.high, wilson(0, 2).high, 1e-12);
  EXPECT_FALSE(value_of(made.results(), "best_speedup@1").low);
}

TEST(Metrics, LargestCommonKIgnoresReferences) {
  MadeEvaluation made;
  for (int i = 0; i < 3; ++i) made.wrong("m.relu.cpp.00" + std::to_string(i));
  made.correct("reference.relu.cpp.000", 1);
  EXPECT_EQ(largest_common_k(made.results()), 3);
  made.wrong("m.gelu.cpp.000");
  EXPECT_EQ(largest_common_k(made.results()), 1);
}

TEST(Metrics, NamesAreUnique) {
  std::set<std::string> names;
  for (const Column& column : columns({{1, 5}, 1.5, {1.0, 2.0}})) EXPECT_TRUE(names.insert(column.name).second) << column.name;
  EXPECT_EQ(names.count("speedup_1.5@5"), 1u);
  EXPECT_EQ(names.count("fast_2"), 1u);
}

}  // namespace
}  // namespace assay::report
