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
