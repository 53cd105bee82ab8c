// SPDX-License-Identifier: Apache-2.0
#include "assay/report/summary.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "assay/report/error.h"
#include "made_results.h"

namespace assay::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const PairedDifference& row(const RunComparison& comparison, const std::string& metric) {
  for (const PairedDifference& entry : comparison.rows)
    if (entry.metric == metric) return entry;
  throw std::invalid_argument(metric);
}

template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Ranking, ByPassThenSpeedupWithReferencesApart) {
  MadeEvaluation made;
  made.correct("slow.relu.cpp.000", 1.5).correct("fast.relu.cpp.000", 3).wrong("bad.relu.cpp.000");
  made.correct("reference.relu.cpp.000", 9).not_judged("broken.relu.cpp.000");
  const auto summary = summarize(made.results(), {});
  EXPECT_THAT(summary->ranking, ElementsAre("fast", "slow", "bad", "broken"));
  EXPECT_EQ(reference_summary(*summary)->sentence, "references: 1/1 pass, median speedup 9.00x");
}

TEST(References, FailuresAreNamedAndTheMedianIsOfTwoInTheMiddle) {
  MadeEvaluation made;
  made.correct("reference.a.cpp.000", 1).correct("reference.b.cpp.000", 2).correct("reference.c.cpp.000", 3);
  made.correct("reference.d.cpp.000", 100).wrong("reference.e.cpp.000", "y[0] = 1");
  const auto reference = reference_summary(*summarize(made.results(), {}));
  EXPECT_EQ(reference->sentence, "references: 4/5 pass, median speedup 2.50x");  // (2 + 3) / 2
  EXPECT_THAT(reference->failures, ElementsAre("reference.e.cpp.000: WRONG_RESULT y[0] = 1"));
}

TEST(References, ThoseOfADeviceThatIsNotHereAreNotRun) {
  MadeEvaluation made;
  made.correct("reference.a.cpp.000", 2).test("reference.a.cuda.000.compile", TestStatus::run, made_record("reference.a.cuda.000.compile"));
  EXPECT_EQ(reference_summary(*summarize(made.results(), {}))->sentence, "references: 1/1 pass, 1 not run, median speedup 2.00x");
}

TEST(References, NoneNoSentence) {
  EXPECT_FALSE(reference_summary(*summarize(MadeEvaluation().correct("m.relu.cpp.000", 1).results(), {})));
}

TEST(Groups, EveryGroupingOfEveryRun) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).wrong("m.relu.opencl.000").correct("n.relu.cpp.000", 2);
  const auto summary = summarize(made.results(), {});
  EXPECT_EQ(summary->groups_of("m", By::run).size(), 1u);
  EXPECT_EQ(summary->groups_of("m", By::category).at(0)->value, "activation");
  EXPECT_EQ(summary->groups_of("m", By::difficulty).at(0)->value, "1");
  EXPECT_EQ(summary->groups_of("m", By::suite).at(0)->value, "npueval");
  const auto backends = summary->groups_of("m", By::backend);
  ASSERT_EQ(backends.size(), 2u);
  EXPECT_DOUBLE_EQ(summary->estimate(*backends[0], "pass@1").value, 1.0);
  EXPECT_DOUBLE_EQ(summary->estimate(*backends[1], "pass@1").value, 0.0);
  EXPECT_DOUBLE_EQ(summary->estimate(*summary->run("m"), "pass@1").value, 0.5);
  EXPECT_EQ(summary->run("m")->verdicts.at("WRONG_RESULT"), 1);
}

TEST(Groups, ARefusalInOneCategoryDoesNotSpreadToOthers) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).correct("m.relu.cpp.001", 2);
  made.test("m.sum.cpp.000.test", TestStatus::run, made_record("m.sum.cpp.000.test", {{"category", "reduce"}}));
  const auto summary = summarize(made.results(), {{1, 2}, 1.0, {}});
  const auto groups = summary->groups_of("m", By::category);
  EXPECT_EQ(summary->estimate(*groups.at(0), "pass@2").state, EstimateState::value);
  EXPECT_EQ(summary->estimate(*groups.at(1), "pass@2").state, EstimateState::refused);
  EXPECT_EQ(summary->estimate(*summary->run("m"), "pass@2").state, EstimateState::refused);
}

TEST(Context, SaysWhatNumbersWereMeasuredUnder) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2);
  made.test("m.relu.cpp.001.compile", TestStatus::run, made_record("m.relu.cpp.001.compile", {{"machine", "other"}, {"tier", "reduced"}}));
  made.test("m.relu.cpp.001.bench", TestStatus::run, made_record("m.relu.cpp.001.bench", {{"target", "gpu"}}));
  const Context context = summarize(made.results(), {})->context;
  EXPECT_THAT(context.targets, ElementsAre("gpu")) << "older records name none";
  EXPECT_THAT(context.machines, ElementsAre("3f2a91c0 AMD EPYC 2 cores", "other"));
  EXPECT_THAT(context.tiers, ElementsAre("full", "reduced"));
  EXPECT_THAT(context.efforts, ElementsAre("standard"));
  EXPECT_THAT(context.baselines, ElementsAre("eigen"));
  EXPECT_THAT(context.seeds, ElementsAre("0x5eed"));
}

TEST(Compare, PairedByHand) {
  MadeEvaluation made;
  made.correct("a.relu.cpp.000", 1).wrong("a.gelu.cpp.000").correct("a.only_a.cpp.000", 5);
  made.correct("b.relu.cpp.000", 2).correct("b.gelu.cpp.000", 4).wrong("b.only_b.cpp.000");
  const RunComparison comparison = compare(*summarize(made.results(), {}), "a,b");
  const PairedDifference& pass = row(comparison, "pass@1");  // differences 0 and 1: mean 0.5, sd 0.7071, half = 12.7 * 0.5
  EXPECT_EQ(pass.problems, 2);
  EXPECT_DOUBLE_EQ(*pass.value, 0.5);
  EXPECT_DOUBLE_EQ(*pass.low, -1);  // 0.5 -+ 6.35, clipped
  EXPECT_DOUBLE_EQ(*pass.high, 1);
  EXPECT_EQ(pass.better, 1);
  EXPECT_EQ(pass.equal, 1);
  EXPECT_EQ(pass.worse, 0);
  const PairedDifference& speed = row(comparison, "geomean_speedup");  // only relu has one in both: 2/1
  EXPECT_TRUE(speed.ratio);
  EXPECT_EQ(speed.problems, 1);
  EXPECT_NEAR(*speed.value, 2.0, 1e-12);
  EXPECT_FALSE(speed.low);
  const PairedDifference& best = row(comparison, "best_speedup@1");  // (2-1 + 4-0) / 2
  EXPECT_NEAR(*best.value, 2.5, 1e-12);
}

TEST(Compare, RatiosByHand) {
  MadeEvaluation made;
  made.correct("a.relu.cpp.000", 2).correct("a.gelu.cpp.000", 4);
  made.correct("b.relu.cpp.000", 6).correct("b.gelu.cpp.000", 36);
  const RunComparison comparison = compare(*summarize(made.results(), {}), "a,b");
  EXPECT_EQ(comparison.first, "a");
  EXPECT_EQ(comparison.second, "b");
  const PairedDifference& speed = row(comparison, "geomean_speedup");  // 3 and 9 times: in powers of 3, 1 and 2
  const auto powers = [](double ratio) { return std::log(ratio) / std::log(3); };
  EXPECT_NEAR(powers(*speed.value), 1.5, 1e-12);
  EXPECT_NEAR(powers(*speed.low), 1.5 - 12.7062 * 0.5, 1e-4);
  EXPECT_NEAR(powers(*speed.high), 1.5 + 12.7062 * 0.5, 1e-4);
  EXPECT_EQ(speed.better, 2);
}

TEST(Compare, WithItselfIsNoDifferenceByTheRuleOfThree) {
  MadeEvaluation made;
  for (int i = 0; i < 10; ++i) made.correct("a.t" + std::to_string(i) + ".cpp.000", 2);
  const PairedDifference pass = row(compare(*summarize(made.results(), {}), "a,a"), "pass@1");
  EXPECT_DOUBLE_EQ(*pass.value, 0);
  EXPECT_NEAR(*pass.high, 0.3, 1e-12);  // 3/10
  EXPECT_EQ(pass.equal, 10);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const auto summary = summarize(MadeEvaluation().correct("a.relu.cpp.000", 1).correct("b.gelu.cpp.000", 1).results(), {});
  for (const char* runs : {"a", "a,", ",b", ","})
    EXPECT_EQ(refusal([&] { compare(*summary, runs); }), fmt::format("--compare: expected two runs as first,second, got '{}'", runs));
  EXPECT_EQ(refusal([&] { compare(*summary, "a,c"); }), "--compare: no run 'c'; known: a b");
  EXPECT_EQ(refusal([&] { compare(*summary, "a,b"); }),
            "--compare: a and b have no task and backend in common; compare runs over the same tasks");
}

TEST(Thresholds, ApplyToEveryRunButReference) {
  MadeEvaluation made;
  made.correct("a.relu.cpp.000", 2).wrong("b.relu.cpp.000").wrong("reference.relu.cpp.000");
  const auto summary = summarize(made.results(), {});
  const auto all = check_threshold(*summary, "pass@1=1");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].met);
  EXPECT_FALSE(all[1].met);
  EXPECT_EQ(all[1].run, "b");
  const auto one = check_threshold(*summary, "reference:pass@1=1");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_FALSE(one[0].met);
}

TEST(Thresholds, WhatCannotBeComputedIsMissed) {
  const auto summary = summarize(MadeEvaluation().untimed("a.relu.cpp.000").results(), {});
  const auto results = check_threshold(*summary, "geomean_speedup=0");
  EXPECT_FALSE(results.at(0).met);
  EXPECT_EQ(results.at(0).got, "bench of a.relu.cpp.000 was not run");
}

TEST(Thresholds, AreOfTheMetricThatTheyName) {
  MadeEvaluation made;
  made.correct("a.relu.cpp.000", 3).wrong("a.relu.cpp.001").correct("a.gelu.cpp.000", 5).correct("a.gelu.cpp.001", 7);
  const auto summary = summarize(made.results(), {});
  for (const Column& column : summary->columns) {
    const ThresholdResult result = check_threshold(*summary, column.name + "=0").at(0);
    EXPECT_EQ(result.metric, column.name);
    EXPECT_EQ(result.got, fmt::format("{:.6g}", summary->estimate(*summary->run("a"), column.name).value)) << column.name;
    EXPECT_EQ(result.limit, 0);
    EXPECT_TRUE(result.met);
    EXPECT_FALSE(result.untimed);
  }
}

/// Of which the machine's noise left `untimed` without a timing.
MadeEvaluation made_of(int timed, int untimed) {
  MadeEvaluation made;
  for (int i = 0; i < timed + untimed; ++i) {
    const std::string sample = "a.task_" + std::to_string(i) + ".cpp.000";
    if (i < timed) made.correct(sample, 4);
    else
      made.untimed(sample).test(sample + ".bench", TestStatus::run,
                                made_record(sample + ".bench", {{"verdict", "INCONCLUSIVE"}, {"doubt", "machine"}}));
  }
  return made;
}

TEST(Thresholds, SayNothingWhereLessThanHalfWasTimed) {
  const auto judged = [](int timed, int untimed) {
    return check_threshold(*summarize(made_of(timed, untimed).results(), {}), "geomean_speedup=2").at(0);
  };
  EXPECT_TRUE(judged(1, 1).met);
  EXPECT_FALSE(judged(1, 1).untimed) << "half of it was";
  EXPECT_FALSE(judged(1, 2).met);
  EXPECT_TRUE(judged(1, 2).untimed);
  EXPECT_EQ(judged(1, 2).got, "1 of 3 samples were timed");
  EXPECT_FALSE(judged(0, 1).met);
  EXPECT_TRUE(judged(0, 1).untimed);
}

TEST(Thresholds, ReadNothingBeyondTheirText) {
  const auto summary = summarize(MadeEvaluation().correct("a.relu.cpp.000", 2).results(), {});
  const std::string_view longer = "pass@1=0.5x";
  EXPECT_EQ(check_threshold(*summary, longer.substr(0, longer.size() - 1)).at(0).limit, 0.5);
  const std::string_view digits = "pass@1=0.599999999";
  EXPECT_EQ(check_threshold(*summary, digits.substr(0, 10)).at(0).limit, 0.5);
}

TEST(Thresholds, RefuseWhatTheyDoNotKnow) {
  const auto summary = summarize(MadeEvaluation().correct("a.relu.cpp.000", 2).results(), {});
  const auto ask = [&](std::string_view text) { return refusal([&] { check_threshold(*summary, text); }); };
  EXPECT_THAT(ask("pass@7=0.5"), AllOf(HasSubstr("unknown metric 'pass@7'"), HasSubstr(" pass@1 "), HasSubstr(" efficiency")));
  for (const char* text : {"pass@1", "pass@1=", "pass@1=high", "=0.5", "pass@1=0.5x", "a:=1", "pass@1=nan"})
    EXPECT_THAT(ask(text), HasSubstr("expected metric=value or run:metric=value")) << text;
  EXPECT_THAT(ask("z:pass@1=0.5"), HasSubstr("no run 'z'; known: a"));
  const auto references = summarize(MadeEvaluation().correct("reference.relu.cpp.000", 2).results(), {});
  EXPECT_EQ(refusal([&] { check_threshold(*references, "pass@1=1"); }),
            "--fail-under pass@1=1: there is no run but reference; name it as reference:pass@1=1");
  std::string known;
  for (const Column& column : summary->columns) known += " " + column.name;
  EXPECT_EQ(ask("speed=1"), "--fail-under: unknown metric 'speed'. did you mean: speedup_1@1?; known with these --k and --alpha:" + known);
}

}  // namespace
}  // namespace assay::report
