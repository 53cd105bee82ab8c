// SPDX-License-Identifier: Apache-2.0
#include "assay/report/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/report/error.h"
#include "made_results.h"

namespace assay::report {
namespace {

using record::Stage, record::Verdict;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* stem = "m.relu.cpp.000";

std::string refusal(const std::vector<JUnit>& shards) {
  try {
    collect(shards);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const Sample& only_sample(const Results& results) { return results.problems.at(0).samples.at(0); }

/// What one test's record and status make of the sample's verdict.
std::string detail_of(const std::string& test, TestStatus status, const nlohmann::json& changes) {
  MadeEvaluation made;
  made.test(test, status, made_record(test, changes));
  const Results results = made.results();
  const StageResult* result = only_sample(results).deciding();
  return std::string(name(*result->verdict)) + ": " + result->detail;
}

TEST(Results, LaterStagesInheritTheFailure) {
  const Results results = MadeEvaluation().does_not_compile(stem).results();
  const Sample& sample = only_sample(results);
  EXPECT_EQ(sample.verdict(), Verdict::compile_error);
  EXPECT_TRUE(sample.stage(Stage::test)->inherited);
  EXPECT_EQ(sample.stage(Stage::bench)->verdict, Verdict::compile_error);
  EXPECT_EQ(sample.stage(Stage::bench)->detail, "no type named vec");
  EXPECT_TRUE(results.harness_errors.empty());
  EXPECT_EQ(sample.outcome().pass, Knowledge::known);
}

TEST(Results, KnowsCategoryDifficultyAndSuites) {
  const Results results = MadeEvaluation().correct(stem, 2).results();
  EXPECT_EQ(results.problems.at(0).category, "activation");
  EXPECT_EQ(results.problems.at(0).difficulty, 1);
  EXPECT_EQ(results.problems.at(0).suites, std::vector<std::string>{"npueval"});
}

TEST(Results, SamplesOfOneTaskOnTwoBackendsAreTwoProblems) {
  EXPECT_EQ(MadeEvaluation().correct("m.relu.cpp.000", 2).correct("m.relu.opencl.000", 2).results().problems.size(), 2u);
}

TEST(Results, AFailedFixtureOfOursIsOurFault) {
  MadeEvaluation made;
  made.output("assay.relu.cases", TestStatus::fail, "out of disk", "Failed");
  made.test("m.relu.cpp.000.compile", TestStatus::run, made_record("m.relu.cpp.000.compile"));
  made.output("m.relu.cpp.000.test", TestStatus::notrun, "Failed test dependencies: assay.relu.cases", "Fixture dependency failed");
  const Results results = made.results();
  EXPECT_EQ(only_sample(results).verdict(), Verdict::harness_error);
  EXPECT_EQ(only_sample(results).outcome().pass, Knowledge::left_out);
  EXPECT_TRUE(only_sample(results).outcome().compiles);
  ASSERT_EQ(results.harness_errors.size(), 2u);
  EXPECT_EQ(results.harness_errors[0].test, "assay.relu.cases");
  EXPECT_THAT(results.harness_errors[1].detail, HasSubstr("assay.relu.cases"));
}

TEST(Results, ACompileErrorStandsEvenWhereOurFixtureFailedToo) {
  MadeEvaluation made;
  made.output("assay.relu.cases", TestStatus::fail, "out of disk");
  made.does_not_compile(stem);
  EXPECT_EQ(only_sample(made.results()).verdict(), Verdict::compile_error);
}

TEST(Results, AMissingProgramIsOurFault) {
  MadeEvaluation made;
  made.output("m.relu.cpp.000.compile", TestStatus::notrun, "Unable to find executable: assay", "Unable to find executable");
  made.output("m.relu.cpp.000.test", TestStatus::notrun, "Failed test dependencies: m.relu.cpp.000.compile", "Fixture dependency failed");
  const Results results = made.results();
  EXPECT_EQ(only_sample(results).verdict(), Verdict::harness_error);
  EXPECT_EQ(results.harness_errors.size(), 1u);  // one per sample, not per stage
}

TEST(Results, NoDeviceIsNobodysFault) {
  MadeEvaluation made;
  made.test("m.relu.cuda.000.compile", TestStatus::run, made_record("m.relu.cuda.000.compile"));
  made.output("m.relu.cuda.000.test", TestStatus::disabled, "Disabled");
  made.output("m.relu.cuda.000.bench", TestStatus::notrun, "", "Fixture dependency failed");
  const Results results = made.results();
  EXPECT_TRUE(results.harness_errors.empty());
  EXPECT_EQ(only_sample(results).verdict(), std::nullopt);
  EXPECT_EQ(only_sample(results).outcome().pass, Knowledge::not_run);
  EXPECT_TRUE(only_sample(results).outcome().compiles);
}

TEST(Results, ATestThatRanWithoutARecordIsOurFault) {
  for (TestStatus status : {TestStatus::run, TestStatus::fail}) {
    MadeEvaluation made;
    made.output("m.relu.cpp.000.test", status, "[ RUN ] nothing\nassay: {}\n", "Timeout");
    const Results results = made.results();
    EXPECT_EQ(only_sample(results).verdict(), Verdict::harness_error);
    EXPECT_THAT(results.harness_errors.at(0).detail, AllOf(HasSubstr("left no record"), HasSubstr("Timeout")));
  }
}

TEST(Results, ARecordOfAnotherTestIsForged) {
  const std::string test = "m.relu.cpp.000.test";
  for (const nlohmann::json& changes :
       {nlohmann::json{{"run", "other"}}, {{"task", "gelu"}}, {{"backend", "opencl"}}, {{"sample", 1}}, {{"stage", "bench"}}})
    EXPECT_THAT(detail_of(test, TestStatus::run, changes), AllOf(HasSubstr("HARNESS_ERROR"), HasSubstr("forged or misplaced"))) << changes;
}

TEST(Results, RecordAndStatusMustAgree) {
  const std::string test = "m.relu.cpp.000.test", bench = "m.relu.cpp.000.bench";
  EXPECT_THAT(detail_of(test, TestStatus::fail, {}), HasSubstr("HARNESS_ERROR: the record says PASS but CTest says failed"));
  EXPECT_THAT(detail_of(test, TestStatus::run, {{"verdict", "CRASH"}}), HasSubstr("HARNESS_ERROR: the record says CRASH but CTest"));
  EXPECT_THAT(detail_of(test, TestStatus::fail, {{"verdict", "INCONCLUSIVE"}}), HasSubstr("bench alone"));
  EXPECT_THAT(detail_of(bench, TestStatus::fail, {{"verdict", "INCONCLUSIVE"}}), HasSubstr("INCONCLUSIVE: "));
  EXPECT_THAT(detail_of(test, TestStatus::fail, {{"verdict", "HARNESS_ERROR"}, {"detail", "no memfd"}}), "HARNESS_ERROR: no memfd");
}

TEST(Results, AVacuousPassIsNone) {
  const std::string test = "m.relu.cpp.000.test";
  EXPECT_THAT(detail_of(test, TestStatus::run, {{"cases", {{"planned", 0}, {"passed", 0}}}}), HasSubstr("PASS with 0 of 0 cases"));
  EXPECT_THAT(detail_of(test, TestStatus::run, {{"cases", {{"passed", 8}}}}), HasSubstr("PASS with 8 of 9 cases"));
  EXPECT_THAT(detail_of(test, TestStatus::run, {{"cases", nullptr}}), HasSubstr("HARNESS_ERROR"));
}

TEST(Results, RecordsMustAgreeOnWhatATaskIs) {
  MadeEvaluation made;
  made.untimed("m.relu.cpp.000");
  made.test("m.relu.cpp.001.compile", TestStatus::run, made_record("m.relu.cpp.001.compile", {{"category", "reduce"}}));
  const Results results = made.results();
  ASSERT_EQ(results.harness_errors.size(), 1u);
  EXPECT_EQ(results.harness_errors[0].test, "m.relu.cpp.001.compile");
}

TEST(Results, ACutRecordTellsHowToKeepItWhole) {
  const std::string cut = made_output(made_record("m.relu.cpp.000.test")).substr(0, 60) +
                          "\n[This part of the test output was removed since it exceeds the threshold of 1024 bytes.]\n";
  const std::string lost = "...\n[This part of the test output was removed since it exceeds the threshold of 1024 bytes.]\n";
  for (const std::string& output : {cut, lost})
    EXPECT_THAT(refusal({MadeEvaluation().output("m.relu.cpp.000.test", TestStatus::run, output).junit("shard.xml")}),
                AllOf(HasSubstr("shard.xml"), HasSubstr("m.relu.cpp.000.test"), HasSubstr("CTEST_CUSTOM_MAXIMUM_PASSED_TEST_OUTPUT_SIZE"),
                      HasSubstr("CTestCustom.cmake")));
}

TEST(Results, OutputCutBehindTheRecordIsFine) {
  const std::string output = made_output(made_record("m.relu.cpp.000.compile")) +
                             "[This part of the test output was removed since it exceeds the threshold of 1024 bytes.]\n";
  EXPECT_EQ(refusal({MadeEvaluation().output("m.relu.cpp.000.compile", TestStatus::run, output).junit()}), "accepted");
}

TEST(Results, ABrokenRecordIsOurFault) {
  const Results results = MadeEvaluation().output("m.relu.cpp.000.test", TestStatus::run, "assay: {\"version\": 1,\n").results();
  EXPECT_EQ(results.harness_errors.at(0).detail, "the record is no JSON");
}

TEST(Results, AnotherVersionOfRecordsIsRefused) {
  MadeEvaluation made;
  made.test("m.relu.cpp.000.test", TestStatus::run, made_record("m.relu.cpp.000.test", {{"version", 2}}));
  EXPECT_THAT(refusal({made.junit("new.xml")}), AllOf(HasSubstr("new.xml"), HasSubstr("got version 2")));
}

TEST(Shards, Merge) {
  const JUnit first = MadeEvaluation().output("assay.machine", TestStatus::run, "").correct("m.relu.cpp.000", 2).junit("1.xml");
  const JUnit second = MadeEvaluation().output("assay.machine", TestStatus::run, "").wrong("m.relu.cpp.001").junit("2.xml");
  const Results results = collect({first, second});
  ASSERT_EQ(results.problems.size(), 1u);
  EXPECT_EQ(results.problems[0].samples.size(), 2u);
  EXPECT_EQ(results.tests, 8);
  EXPECT_EQ(results.problems[0].samples[1].stage(Stage::test)->file, "2.xml");
}

TEST(Shards, RefuseATestWithTwoResults) {
  const JUnit first = MadeEvaluation().correct(stem, 2).junit("1.xml"), second = MadeEvaluation().wrong(stem).junit("2.xml");
  EXPECT_THAT(refusal({first, second}), AllOf(HasSubstr("m.relu.cpp.000.test"), HasSubstr("in 1.xml and in 2.xml with different results")));
}

TEST(Shards, RefuseTheSameFileTwice) {
  const JUnit first = MadeEvaluation().correct(stem, 2).junit("1.xml"), again = MadeEvaluation().correct(stem, 2).junit("copy.xml");
  EXPECT_THAT(refusal({first, again}),
              AllOf(HasSubstr("in 1.xml and in copy.xml with the same result"), HasSubstr("name each shard once")));
  EXPECT_THAT(refusal({MadeEvaluation().untimed(stem).untimed(stem).junit("1.xml")}), HasSubstr("twice in 1.xml"));
}

TEST(Shards, ForeignTestsAreCountedAndForeignFilesRefused) {
  MadeEvaluation made;
  made.correct(stem, 2).output("spec.parses", TestStatus::fail, "");
  EXPECT_EQ(made.results().foreign, std::vector<std::string>{"spec.parses"});
  const JUnit foreign = MadeEvaluation().output("spec.parses", TestStatus::run, "").junit("unit.xml");
  EXPECT_THAT(refusal({made.junit(), foreign}), AllOf(HasSubstr("unit.xml: none of its 1 tests"), HasSubstr("'spec.parses'")));
  const JUnit fixtures = MadeEvaluation().output("assay.machine", TestStatus::run, "").junit("own.xml");
  EXPECT_THAT(refusal({fixtures}), HasSubstr("own.xml: only our own fixtures"));
}

TEST(OnlyRuns, KeepsTheNamedOnesAndTheirErrors) {
  const Results results = MadeEvaluation().not_judged("a.relu.cpp.000").not_judged("b.relu.cpp.000").results();
  const Results kept = only_runs(results, {"b"});
  EXPECT_EQ(kept.problems.size(), 1u);
  ASSERT_EQ(kept.harness_errors.size(), 1u);
  EXPECT_THAT(kept.harness_errors[0].test, HasSubstr("b.relu"));
  EXPECT_THROW(only_runs(results, {"c"}), InputError);
}

}  // namespace
}  // namespace assay::report
