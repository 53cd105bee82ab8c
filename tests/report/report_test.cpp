// SPDX-License-Identifier: Apache-2.0
// run_report(): files in, files, messages and exit codes out.
#include "assay/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "made_results.h"
#include "temporary_folder.h"

namespace assay::report {
namespace {

using ::testing::HasSubstr;

ReportOptions of(std::vector<std::filesystem::path> inputs) {
  ReportOptions options;
  options.inputs = std::move(inputs);
  return options;
}

class Report : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  int report(ReportOptions options) {
    out_.str("");
    err_.str("");
    return run_report(options, out_, err_);
  }

  TemporaryFolder folder_;
  std::ostringstream out_, err_;
};

TEST_F(Report, FineIsZero) {
  const auto junit = write("a.xml", MadeEvaluation().correct("m.relu.cpp.000", 2).xml());
  EXPECT_EQ(report(of({junit})), report_fine);
  EXPECT_EQ(err_.str(), "");
  EXPECT_THAT(out_.str(), HasSubstr("100.0%"));
}

TEST_F(Report, RequiresATier) {
  ReportOptions options = of({write("a.xml", MadeEvaluation().correct("m.relu.cpp.000", 2).xml())});
  options.require_tier = "full";
  EXPECT_EQ(report(options), report_fine);
  MadeEvaluation weak;
  weak.correct("m.relu.cpp.000", 2);
  weak.test("m.relu.cpp.001.compile", TestStatus::run, made_record("m.relu.cpp.001.compile", {{"tier", "reduced"}}));
  options.inputs = {write("b.xml", weak.xml())};
  EXPECT_EQ(report(options), report_below_threshold);
  EXPECT_THAT(err_.str(), HasSubstr("judged in the sandbox tier 'reduced', weaker than required"));
  options.require_tier = "reduced";
  EXPECT_EQ(report(options), report_fine);
  options.require_tier = "most";
  EXPECT_EQ(report(options), report_bad_input);
}

TEST_F(Report, WritesEveryFormat) {
  ReportOptions options = of({write("a.xml", MadeEvaluation().correct("m.relu.cpp.000", 2).xml())});
  options.json = folder_ / "r.json";
  options.csv = folder_ / "r.csv";
  options.html = folder_ / "r.html";
  EXPECT_EQ(report(options), report_fine);
  for (const auto& path : {options.json, options.csv, options.html}) EXPECT_GT(std::filesystem::file_size(path), 200u) << path;
}

TEST_F(Report, AMissedThresholdIsOne) {
  ReportOptions options = of({write("a.xml", MadeEvaluation().correct("a.relu.cpp.000", 2).wrong("b.relu.cpp.000").xml())});
  options.fail_under = {"pass@1=0.5"};
  EXPECT_EQ(report(options), report_below_threshold);
  EXPECT_EQ(err_.str(), "assay report: run b fell under pass@1=0.5: 0\n");
  options.fail_under = {"a:pass@1=0.5"};
  EXPECT_EQ(report(options), report_fine);
}

TEST_F(Report, WinnersAreTheBestOfSeveral) {
  MadeEvaluation made;
  made.correct("m.relu.cpp.000", 2).correct("m.relu.cpp.001", 4).wrong("m.relu.cpp.002");
  made.correct("m.gelu.cpp.000", 9).wrong("m.gelu.cpp.001");  // one was timed: none was chosen
  made.correct("n.relu.cpp.000", 3).correct("n.relu.cpp.007", 1).correct("reference.relu.cpp.000", 5);
  EXPECT_EQ(run_winners({write("a.xml", made.xml())}, out_, err_), report_fine);
  EXPECT_EQ(out_.str(), "^(m[.]relu[.]cpp[.]001[.]bench|n[.]relu[.]cpp[.]000[.]bench)$\n");
  EXPECT_EQ(run_winners({folder_ / "none.xml"}, out_, err_), report_bad_input);
}

TEST_F(Report, AllThatCouldBeTheBestAreTimedAgain) {
  MadeEvaluation made;
  const auto timed = [&](const std::string& sample, double estimate, double low, double high) {
    made.untimed(sample).test(
        sample + ".bench", TestStatus::run,
        made_record(sample + ".bench", {{"speedup", {{"estimate", estimate}, {"low", low}, {"high", high}, {"at_least", low}}}}));
  };
  timed("m.relu.cpp.000", 2, 1.8, 2.2);
  timed("m.relu.cpp.001", 1.9, 1.7, 2.1);
  timed("m.relu.cpp.002", 1.5, 1.3, 1.7);
  EXPECT_EQ(run_winners({write("a.xml", made.xml())}, out_, err_), report_fine);
  EXPECT_EQ(out_.str(), "^(m[.]relu[.]cpp[.]000[.]bench|m[.]relu[.]cpp[.]001[.]bench)$\n");
}

TEST_F(Report, BlamesTheMachineWhereItLeftNothingToCompare) {
  MadeEvaluation made;
  made.untimed("m.relu.cpp.000")
      .test("m.relu.cpp.000.bench", TestStatus::run,
            made_record("m.relu.cpp.000.bench", {{"verdict", "INCONCLUSIVE"}, {"doubt", "machine"}}));
  ReportOptions options = of({write("a.xml", made.xml())});
  options.fail_under = {"best_speedup@1=1"};
  EXPECT_EQ(report(options), report_harness_error);
  EXPECT_THAT(err_.str(), HasSubstr("the machine is to blame"));
}

TEST_F(Report, WinnersOfManyTasksAreSplit) {
  MadeEvaluation made;
  for (int task = 0; task < 600; ++task)
    for (const int sample : {0, 1})
      made.correct("m.a_task_with_a_name_" + std::to_string(task) + ".cpp.00" + std::to_string(sample), 2 + 9 * sample);
  EXPECT_EQ(run_winners({write("a.xml", made.xml())}, out_, err_), report_fine);
  std::istringstream lines(out_.str());
  std::size_t tests = 0, count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(line.size(), 16003u);  // 16,000 and the marks around them
    EXPECT_THAT(line, ::testing::AllOf(::testing::StartsWith("^(m"), ::testing::EndsWith("bench)$")));
    tests += static_cast<std::size_t>(std::count(line.begin(), line.end(), '|')) + 1;
  }
  EXPECT_GT(count, 1u);
  EXPECT_EQ(tests, 600u);
}

TEST_F(Report, CountsTheSecondTimingOfWinners) {
  ReportOptions options = of({write("a.xml", MadeEvaluation().correct("m.relu.cpp.000", 2).correct("m.relu.cpp.001", 4).xml())});
  options.retimed = {write("b.xml", MadeEvaluation().correct("m.relu.cpp.001", 3).xml())};
  options.fail_under = {"best_speedup@2=3", "best_speedup@2=3.1"};
  EXPECT_EQ(report(options), report_below_threshold);
  EXPECT_EQ(err_.str(), "assay report: run m fell under best_speedup@2=3.1: 3\n");
  EXPECT_THAT(out_.str(), HasSubstr("retimed  1 sample: the first"));
  options.retimed = {write("c.xml", MadeEvaluation().correct("m.gelu.cpp.001", 3).xml())};
  EXPECT_EQ(report(options), report_bad_input);
  EXPECT_THAT(err_.str(), HasSubstr("m.gelu.cpp.001, which the evaluation does not"));
}

TEST_F(Report, BadInputIsTwo) {
  const std::string whole = MadeEvaluation().correct("m.relu.cpp.000", 2).xml();
  EXPECT_EQ(report(of({write("cut.xml", whole.substr(0, whole.size() / 2))})), report_bad_input);
  EXPECT_THAT(err_.str(), HasSubstr("cut.xml"));
  EXPECT_EQ(report(of({folder_ / "none.xml"})), report_bad_input);
  ReportOptions options = of({write("a.xml", whole)});
  options.json = folder_ / "no" / "folder.json";
  EXPECT_EQ(report(options), report_bad_input);
  EXPECT_THAT(err_.str(), HasSubstr("cannot be written"));
}

TEST_F(Report, BadUsageIsTwo) {
  const ReportOptions good = of({write("a.xml", MadeEvaluation().correct("m.relu.cpp.000", 2).xml())});
  ReportOptions options = good;
  options.k = {0};
  EXPECT_EQ(report(options), report_bad_input);
  options = good;
  options.alpha = -1;
  EXPECT_EQ(report(options), report_bad_input);
  options = good;
  options.by = "colour";
  EXPECT_EQ(report(options), report_bad_input);
  EXPECT_THAT(err_.str(), HasSubstr("known: run category difficulty suite backend"));
  options = good;
  options.runs = {"nobody"};
  EXPECT_EQ(report(options), report_bad_input);
}

TEST_F(Report, HarnessErrorIsThreeAndWins) {
  ReportOptions options = of({write("a.xml", MadeEvaluation().not_judged("a.relu.cpp.000").wrong("b.relu.cpp.000").xml())});
  EXPECT_EQ(report(options), report_harness_error);
  options.fail_under = {"pass@1=0.5"};
  EXPECT_EQ(report(options), report_harness_error);
  EXPECT_THAT(err_.str(), HasSubstr("fell under"));
  options = of(options.inputs);
  options.runs = {"b"};  // its own numbers are complete
  EXPECT_EQ(report(options), report_fine);
}

TEST_F(Report, MessagesHoldNoControlCharacters) {
  const auto junit = write("a.xml",
                           "<testsuite tests='1'><testcase name='\xc2\x9b"
                           "2J' status='run'/></testsuite>");
  EXPECT_EQ(report(of({junit})), report_bad_input);
  EXPECT_THAT(err_.str(), HasSubstr("'\\x9b2J'"));
}

TEST_F(Report, MergesShards) {
  const auto first = write("1.xml", MadeEvaluation().correct("m.relu.cpp.000", 2).xml());
  const auto second = write("2.xml", MadeEvaluation().wrong("m.relu.cpp.001").xml());
  EXPECT_EQ(report(of({first, second})), report_fine);
  EXPECT_THAT(out_.str(), HasSubstr("2 from 6 tests in 2 files"));
  EXPECT_THAT(out_.str(), HasSubstr("pass@2"));  // the largest k that both shards together allow
}

}  // namespace
}  // namespace assay::report
