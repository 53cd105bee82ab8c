// SPDX-License-Identifier: Apache-2.0
// conformance: evaluates folders of ONNX backend tests with the oracle, prints a table by operator and the
// cause of each failure. Exit status: 0 where the share of passing tests in scope reaches --min-pass and
// every row of the scope is met, 1 where not, 2 for what cannot be read.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "backend_test.h"
#include "scope.h"

namespace {

using assay::BackendTest;
using assay::Scope;
using assay::ScopeRow;
namespace fs = std::filesystem;

struct Tally {
  int passed = 0, failed = 0, excluded = 0;
  std::string reason;  ///< of the excluded
};

struct Report {
  std::map<std::string, Tally> by_operator;
  Tally total;
  std::vector<std::string> failures;
};

std::vector<fs::path> test_folders(const std::vector<std::string>& roots) {
  std::vector<fs::path> folders;
  for (const std::string& root : roots)
    for (const auto& entry : fs::directory_iterator(root))
      if (fs::exists(entry.path() / "model.onnx")) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// A model of one operator counts for it; larger ones count together.
std::string subject(const BackendTest& test) {
  return test.operators().size() == 1 ? test.operators().front() : "(several operators)";
}

void record(Report& report, const BackendTest& test, const Scope& scope) {
  Tally& tally = report.by_operator[subject(test)];
  if (const ScopeRow* row = scope.excludes(test.name(), test.operators())) {
    ++tally.excluded, ++report.total.excluded;
    if (tally.reason.find(row->reason) == std::string::npos)
      tally.reason += (tally.reason.empty() ? "" : "; ") + row->reason;
  } else if (const auto cause = test.failure(scope.tolerance(test.name()))) {
    ++tally.failed, ++report.total.failed;
    report.failures.push_back(fmt::format("FAILED {} [{}]: {}", test.name(), subject(test), *cause));
  } else {
    ++tally.passed, ++report.total.passed;
  }
}

void print(const Report& report) {
  fmt::print("{:<28} {:>6} {:>6} {:>12}\n", "operator", "passed", "failed", "out of scope");
  const auto row = [](const std::string& name, const Tally& tally) {
    fmt::print("{:<28} {:>6} {:>6} {:>12}  {}\n", name, tally.passed, tally.failed, tally.excluded,
               tally.reason);
  };
  for (const auto& [name, tally] : report.by_operator) row(name, tally);
  row("all", report.total);
  for (const std::string& failure : report.failures) fmt::print("{}\n", failure);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Evaluates ONNX backend tests with the oracle"};
  std::vector<std::string> roots;
  std::string scope_path;
  double min_pass = 1;
  app.add_option("folders", roots, "Folders whose subfolders hold model.onnx and test_data_set_<k>")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--scope", scope_path,
                 "Operators and tests that are out of scope: kind<TAB>pattern<TAB>reason")
      ->required();
  app.add_option("--min-pass", min_pass, "Least share of the tests in scope that must pass")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const Scope scope = Scope::read(scope_path);
    Report report;
    for (const fs::path& folder : test_folders(roots)) record(report, BackendTest(folder), scope);
    print(report);
    const std::vector<const ScopeRow*> unused = scope.unused();
    for (const ScopeRow* row : unused)
      fmt::print("{}:{}: no test meets '{}'. do: remove the row\n", scope_path, row->line, row->pattern);
    const int in_scope = report.total.passed + report.total.failed;
    const bool enough = in_scope > 0 && report.total.passed >= min_pass * in_scope;
    fmt::print("{} of {} tests in scope pass, {} are out of scope\n", report.total.passed, in_scope,
               report.total.excluded);
    return enough && unused.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "conformance: {}\n", error.what());
    return 2;
  }
}
