// SPDX-License-Identifier: Apache-2.0
#include "made_results.h"

namespace assay::report {

using nlohmann::json;

MadeEvaluation& MadeEvaluation::test(const std::string& name, TestStatus status, const json& record, const std::string& message) {
  return output(name, status, record.is_null() ? "" : made_output(record), message);
}

MadeEvaluation& MadeEvaluation::output(const std::string& name, TestStatus status, const std::string& text, const std::string& message) {
  tests_.push_back({name, status, message, text});
  return *this;
}

MadeEvaluation& MadeEvaluation::not_run(const std::string& name) {
  return output(name, TestStatus::notrun, "Failed test dependencies: something", "Fixture dependency failed");
}

MadeEvaluation& MadeEvaluation::untimed(const std::string& stem) {
  test(stem + ".compile", TestStatus::run, made_record(stem + ".compile"));
  return test(stem + ".test", TestStatus::run, made_record(stem + ".test"));
}

MadeEvaluation& MadeEvaluation::without_bench(const std::string& stem, const std::string& verdict) {
  const TestStatus tested = verdict == "PASS" ? TestStatus::run : TestStatus::fail;
  test(stem + ".compile", TestStatus::run, made_record(stem + ".compile", {{"no_bench", true}}));
  return test(stem + ".test", tested, made_record(stem + ".test", {{"no_bench", true}, {"verdict", verdict}}));
}

MadeEvaluation& MadeEvaluation::correct(const std::string& stem, double speedup, double low, double high) {
  untimed(stem);
  return test(stem + ".bench", TestStatus::run,
              made_record(stem + ".bench", {{"speedup", {{"estimate", speedup}, {"low", low}, {"high", high}}}}));
}

MadeEvaluation& MadeEvaluation::canary(const std::string& when, double ratio, double low99, double high99) {
  const json line = {{"ratio", ratio}, {"low99", low99}, {"high99", high99}, {"launches", 10}, {"steal", 0.01}};
  return output("assay.canary." + when, TestStatus::run, "canary: " + line.dump() + "\n");
}

MadeEvaluation& MadeEvaluation::does_not_compile(const std::string& stem) {
  test(stem + ".compile", TestStatus::fail,
       made_record(stem + ".compile", {{"verdict", "COMPILE_ERROR"}, {"detail", "no type named vec"}}));
  not_run(stem + ".test");
  return not_run(stem + ".bench");
}

MadeEvaluation& MadeEvaluation::wrong(const std::string& stem, const std::string& detail) {
  test(stem + ".compile", TestStatus::run, made_record(stem + ".compile"));
  test(stem + ".test", TestStatus::fail,
       made_record(stem + ".test", {{"verdict", "WRONG_RESULT"}, {"detail", detail}, {"cases", {{"planned", 9}, {"passed", 2}}}}));
  return not_run(stem + ".bench");
}

MadeEvaluation& MadeEvaluation::not_judged(const std::string& stem) {
  test(stem + ".compile", TestStatus::run, made_record(stem + ".compile"));
  output(stem + ".test", TestStatus::fail, "terminate called\n", "Timeout");
  return not_run(stem + ".bench");
}

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

std::string testcase(const TestCase& test) {
  static const char* statuses[] = {"run", "fail", "notrun", "disabled"};
  std::string xml = "<testcase name=\"" + test.name + "\" classname=\"" + test.name + "\" time=\"0.1\" status=\"" +
                    statuses[static_cast<int>(test.status)] + "\">\n";
  if (test.status == TestStatus::fail) xml += "<failure message=\"" + test.message + "\"/>";
  if (test.status == TestStatus::notrun) xml += "<skipped message=\"" + test.message + "\"/>";
  return xml + "<system-out>" + escaped(test.output) + "</system-out>\n</testcase>\n";
}

}  // namespace

std::string MadeEvaluation::xml() const {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"(empty)\" tests=\"" + std::to_string(tests_.size()) +
                    "\" failures=\"0\">\n";
  for (const TestCase& test : tests_) xml += testcase(test);
  return xml + "</testsuite>\n";
}

}  // namespace assay::report
