// SPDX-License-Identifier: Apache-2.0
// Evaluations made up test by test, as CTest would have written them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "assay/report/junit.h"
#include "assay/report/results.h"
#include "made_record.h"

namespace assay::report {

using record::made_output, record::made_record;

class MadeEvaluation {
 public:
  /// One test. An empty `record` leaves its output empty.
  MadeEvaluation& test(const std::string& name, TestStatus status, const nlohmann::json& record, const std::string& message = "");
  MadeEvaluation& output(const std::string& name, TestStatus status, const std::string& text, const std::string& message = "");

  /// All three stages of `stem` ("run.task.cpp.000"): correct, with that speedup and interval low..high.
  MadeEvaluation& correct(const std::string& stem, double speedup, double low, double high);
  MadeEvaluation& correct(const std::string& stem, double speedup) { return correct(stem, speedup, speedup, speedup); }
  /// The fixture assay.canary.<when>.
  MadeEvaluation& canary(const std::string& when, double ratio, double low99, double high99);
  /// Compiled and tested, no bench in the JUnit.
  MadeEvaluation& untimed(const std::string& stem);
  /// The same of a problem that has no stage bench, with that verdict of the test.
  MadeEvaluation& without_bench(const std::string& stem, const std::string& verdict);
  MadeEvaluation& does_not_compile(const std::string& stem);
  MadeEvaluation& wrong(const std::string& stem, const std::string& detail = "y[3] = 0");
  /// Compiled, then the judge died.
  MadeEvaluation& not_judged(const std::string& stem);

  JUnit junit(const std::string& file = "made.xml") const { return {file, tests_}; }
  Results results() const { return collect({junit()}); }
  std::string xml() const;

 private:
  MadeEvaluation& not_run(const std::string& name);

  std::vector<TestCase> tests_;
};

}  // namespace assay::report
