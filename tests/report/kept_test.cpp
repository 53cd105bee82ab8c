// SPDX-License-Identifier: Apache-2.0
// From kept results to an evaluation: what counts, what is stale, what is still to be judged.
#include "assay/report/kept.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "assay/report/formats.h"
#include "made_results.h"

namespace assay::report {
namespace {

using results::Basis, results::KeptResult;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Basis now{"source", "plan", "tool"};

std::string at(int second) { return fmt::format("2026-11-23T10:00:{:02}.000000Z", second); }

/// A test that ran from `second` to the next one.
KeptResult kept(const std::string& test, int second, const nlohmann::json& changes = {}, Basis basis = now) {
  const nlohmann::json record = made_record(test, changes);
  return {test, at(second), at(second + 1), std::move(basis), record.at("verdict") == "PASS" ? 0 : 1, record.dump(), "chatter\n"};
}

KeptResult died(const std::string& test, int second) { return {test, at(second), "", now, -1, "", ""}; }

KeptResult canary(const std::string& when, int second, double ratio) {
  const nlohmann::json line = {{"ratio", ratio}, {"low99", ratio - 0.005}, {"high99", ratio + 0.005}, {"launches", 10}, {"steal", 0}};
  return {"assay.canary." + when, at(second), at(second + 1), now, 0, "", "canary: " + line.dump() + "\n"};
}

std::vector<KeptResult> correct(const std::string& stem, int second, double speedup = 2) {
  const nlohmann::json timing = {{"speedup", {{"estimate", speedup}, {"low", speedup - 0.1}, {"high", speedup + 0.1}}}};
  return {kept(stem + ".compile", second), kept(stem + ".test", second + 1), kept(stem + ".bench", second + 2, timing)};
}

std::vector<KeptResult> operator+(std::vector<KeptResult> all, const std::vector<KeptResult>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Results collected(const std::vector<KeptResult>& results, const DeclaredSamples& declared, bool with_gone = false) {
  const KeptEvaluation evaluation = kept_evaluation(results, declared, with_gone);
  Results all = collect(evaluation.shards);
  all.kept = evaluation.notes;
  return all;
}

const Sample& sample(const Results& results, const std::string& name) {
  for (const Problem& problem : results.problems)
    for (const Sample& each : problem.samples)
      if (each.name.text() == name) return each;
  throw std::invalid_argument(name);
}

const DeclaredSamples two = {{"m.relu.cpp.000", now}, {"m.relu.cpp.001", now}};

TEST(Kept, AnEvaluationIsThatOfItsJUnit) {
  const Results results =
      collected(correct("m.relu.cpp.000", 1) + std::vector{kept("m.relu.cpp.001.compile", 2, {{"verdict", "COMPILE_ERROR"}})}, two);
  EXPECT_EQ(sample(results, "m.relu.cpp.000").verdict(), record::Verdict::pass);
  EXPECT_NEAR(sample(results, "m.relu.cpp.000").outcome().speedup->estimate, 2, 1e-9);
  EXPECT_EQ(sample(results, "m.relu.cpp.001").verdict(), record::Verdict::compile_error);
  EXPECT_EQ(results.kept->oldest, at(1));
  EXPECT_EQ(results.kept->newest, at(3));
  EXPECT_THAT(results.kept->stale, IsEmpty());
}

TEST(Kept, ATestThatLeftNothingIsOurFailure) {
  const Results results = collected({kept("m.relu.cpp.000.compile", 1), died("m.relu.cpp.000.test", 2)}, two);
  EXPECT_EQ(sample(results, "m.relu.cpp.000").verdict(), record::Verdict::harness_error);
  ASSERT_EQ(results.harness_errors.size(), 1U);
  EXPECT_THAT(results.harness_errors[0].detail, HasSubstr("left no record"));
}

TEST(Kept, ARecordThatContradictsItsExitCodeIsOurFailure) {
  KeptResult forged = kept("m.relu.cpp.000.test", 2, {{"run", "n"}});
  EXPECT_EQ(sample(collected({forged}, two), "m.relu.cpp.000").verdict(), record::Verdict::harness_error);
  KeptResult failed = kept("m.relu.cpp.000.test", 2);
  failed.exit_code = 3;
  EXPECT_EQ(sample(collected({failed}, two), "m.relu.cpp.000").verdict(), record::Verdict::harness_error);
}

TEST(Kept, SaysWhatIsStaleAndLeavesOutWhatIsGone) {
  const Basis other{"source", "another plan", "another tool"};
  const auto all = correct("m.relu.cpp.000", 1) + correct("m.relu.cpp.001", 10);
  const Results results = collected(all, {{"m.relu.cpp.000", other}});
  ASSERT_EQ(results.kept->stale.size(), 1U);
  EXPECT_EQ(results.kept->stale[0].sample, "m.relu.cpp.000");
  EXPECT_EQ(results.kept->stale[0].changed, "plan, tool");
  EXPECT_THAT(results.kept->gone, ElementsAre("m.relu.cpp.001"));
  EXPECT_EQ(results.problems.at(0).samples.size(), 1U);
  EXPECT_EQ(collected(all, {{"m.relu.cpp.000", other}}, true).problems.at(0).samples.size(), 2U);
  std::ostringstream out;
  write_text(*summarize(results, {}), {}, out);
  EXPECT_THAT(out.str(), HasSubstr("stale    1 sample judged before a change: m.relu.cpp.000 (plan, tool)"));
  EXPECT_THAT(out.str(), HasSubstr("gone     1 candidate is no longer there, and not counted: m.relu.cpp.001"));
  out.str("");
  write_html(*summarize(results, {}), out);
  EXPECT_THAT(out.str(), HasSubstr("<dt>Judged before a change</dt><dd>m.relu.cpp.000 (plan, tool)</dd>"));
  EXPECT_THAT(out.str(), HasSubstr("<dt>Gone, and not counted</dt><dd>m.relu.cpp.001</dd>"));
}

TEST(Kept, SaysWhoMadeARun) {
  Results results = collected(correct("m.relu.cpp.000", 1), {{"m.relu.cpp.000", two.at("m.relu.cpp.000")}});
  results.kept->generated = {{"m", "small <b>, temperature 0.8, cost 1.25"}, {"another", "large"}};
  std::ostringstream out;
  write_text(*summarize(results, {}), {}, out);
  EXPECT_THAT(out.str(), HasSubstr("run      m: small <b>, temperature 0.8, cost 1.25\n"));
  EXPECT_THAT(out.str(), testing::Not(HasSubstr("large")));
  out.str("");
  write_html(*summarize(results, {}), out);
  EXPECT_THAT(out.str(), HasSubstr("<dt>Run</dt><dd>m: small &lt;b&gt;, temperature 0.8, cost 1.25</dd>"));
}

TEST(Kept, ARecordOfAnotherVersionIsJudgedAgainAndDoesNotStopTheReport) {
  const auto all = correct("m.relu.cpp.000", 1) + std::vector{kept("m.relu.cpp.001.compile", 2, {{"version", 99}})};
  const Results results = collected(all, two);
  EXPECT_EQ(results.problems.at(0).samples.size(), 1U);
  ASSERT_EQ(results.kept->stale.size(), 1U);
  EXPECT_EQ(results.kept->stale[0].sample, "m.relu.cpp.001.compile");
  EXPECT_THAT(results.kept->stale[0].changed, HasSubstr("another version"));
  EXPECT_THAT(tests_to_run({"m.relu.cpp.001.compile"}, all, two), ElementsAre("m.relu.cpp.001.compile"));
}

TEST(Kept, AStageOfAnotherSourceIsOfAnotherCandidate) {
  const Basis older{"older source", "plan", "tool"};
  const auto all = std::vector{kept("m.relu.cpp.000.bench", 1, {}, older)} +
                   std::vector{kept("m.relu.cpp.000.compile", 5), kept("m.relu.cpp.000.test", 6)};
  const Results results = collected(all, two);
  EXPECT_EQ(sample(results, "m.relu.cpp.000").stage(record::Stage::bench), nullptr);
  EXPECT_NE(sample(results, "m.relu.cpp.000").stage(record::Stage::test), nullptr);
}

TEST(Kept, ACanaryDoubtsTheTimingsOfItsSessionAlone) {
  const std::vector<KeptResult> all =
      correct("m.relu.cpp.000", 11) + correct("m.relu.cpp.001", 31) +
      std::vector{canary("before", 10, 1), canary("after", 15, 1), canary("before", 30, 1), canary("after", 35, 1.2)};
  const Results results = collected(all, two);
  EXPECT_EQ(sample(results, "m.relu.cpp.000").verdict(), record::Verdict::pass);
  EXPECT_EQ(sample(results, "m.relu.cpp.001").verdict(), record::Verdict::inconclusive);
  EXPECT_EQ(results.canaries.size(), 4U);
}

TEST(Kept, AFixtureThatFailedCountsUntilItIsOvercome) {
  KeptResult cases{"assay.relu.cases", at(20), at(21), now, 2, "", "the disk is full"};
  const std::vector all = {kept("m.relu.cpp.000.compile", 1), cases};
  ASSERT_EQ(collected(all, two).harness_errors.size(), 1U);
  EXPECT_THAT(collected(all, two).harness_errors[0].detail, HasSubstr("the disk is full"));
  EXPECT_THAT(collected(all + std::vector{kept("m.relu.cpp.000.test", 30)}, two).harness_errors, IsEmpty());
}

TEST(TestsToRun, AreThoseWithoutACurrentResult) {
  const std::vector<std::string> listed = {"m.relu.cpp.000.compile", "m.relu.cpp.000.test", "m.relu.cpp.000.bench", "assay.relu.cases",
                                           "m.relu.cpp.001.compile", "m.relu.cpp.001.test", "m.relu.cpp.001.bench"};
  const std::vector<std::string> second = {listed[4], listed[5], listed[6]};
  EXPECT_EQ(tests_to_run(listed, correct("m.relu.cpp.000", 1), two), second);
  EXPECT_THAT(tests_to_run(listed, correct("m.relu.cpp.000", 1) + correct("m.relu.cpp.001", 10), two), IsEmpty());
  EXPECT_EQ(tests_to_run(listed, {}, two).size(), 6U);
}

TEST(TestsToRun, HoldNothingAfterAFailure) {
  const std::vector<std::string> listed = {"m.relu.cpp.000.compile", "m.relu.cpp.000.test", "m.relu.cpp.000.bench"};
  EXPECT_THAT(tests_to_run(listed, {kept(listed[0], 1), kept(listed[1], 2, {{"verdict", "WRONG_RESULT"}})}, two), IsEmpty());
  EXPECT_THAT(tests_to_run(listed, {kept(listed[0], 1), kept(listed[1], 2)}, two), ElementsAre(listed[2]));
  EXPECT_THAT(tests_to_run(listed, {kept(listed[0], 1), died(listed[1], 2)}, two), ElementsAre(listed[1], listed[2]));
  EXPECT_THAT(tests_to_run(listed, {kept(listed[0], 1), kept(listed[1], 2, {{"verdict", "HARNESS_ERROR"}})}, two),
              ElementsAre(listed[1], listed[2]));
}

TEST(TestsToRun, AreAllWhereSourcePlanOrToolIsAnother) {
  const std::vector<std::string> listed = {"m.relu.cpp.000.compile", "m.relu.cpp.000.test"};
  for (const Basis& basis : {Basis{"x", "plan", "tool"}, Basis{"source", "x", "tool"}, Basis{"source", "plan", "x"}})
    EXPECT_EQ(tests_to_run(listed, correct("m.relu.cpp.000", 1), {{"m.relu.cpp.000", basis}}), listed);
}

TEST(Brief, LeavesOutTheLongTables) {
  const auto summary = summarize(collected(correct("m.relu.cpp.000", 1) + correct("m.relu.cpp.001", 10), two), {});
  std::ostringstream brief, whole;
  write_text(*summary, {false, By::category, true}, brief);
  write_text(*summary, {}, whole);
  for (const std::string part : {"Runs, by pass@1", "Verdicts, in samples", "judged 2026-11-23 10:00:01 UTC to 2026-11-23 10:00:12 UTC"}) {
    EXPECT_THAT(brief.str(), HasSubstr(part));
    EXPECT_THAT(whole.str(), HasSubstr(part));
  }
  EXPECT_THAT(brief.str(), Not(HasSubstr("All metrics")));
  EXPECT_THAT(whole.str(), HasSubstr("All metrics"));
  EXPECT_THAT(brief.str(), Not(HasSubstr("m by category")));
}

}  // namespace
}  // namespace assay::report
