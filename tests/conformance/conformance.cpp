// SPDX-License-Identifier: Apache-2.0
// conformance: evaluates sets of ONNX backend tests with the oracle, prints a table by operator and the
// cause of each failure. Exit status: 0 where in each set the share of passing tests in scope reaches
// --min-pass and every row of the scope is met, 1 where not, 2 for what cannot be read.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "backend_test.h"
#include "scope.h"

namespace {

using assay::BackendTest;
using assay::Scope;
using assay::ScopeRow;
namespace fs = std::filesystem;

struct TestSet {
  std::string name;
  std::vector<fs::path> folders;
};

struct Tally {
  int passed = 0, failed = 0, excluded = 0;
  std::string reason;  ///< of the excluded
  int in_scope() const { return passed + failed; }
};

struct Report {
  std::string set;
  std::map<std::string, Tally> by_operator;
  Tally total;
  std::vector<std::string> failures;
  std::set<std::string> operators;  ///< that a passing test has
  std::vector<std::string> unused;  ///< rows of the scope that no test of the set met
};

/// "name=folder" as often as given; a name given twice has several folders.
std::vector<TestSet> read_sets(const std::vector<std::string>& arguments) {
  std::vector<TestSet> sets;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == 0 || equals == std::string::npos) throw std::runtime_error(fmt::format("a set is <name>=<folder>, got '{}'", argument));
    const fs::path folder = argument.substr(equals + 1);
    if (!fs::is_directory(folder))
      throw std::runtime_error(fmt::format("set {}: no such folder: {}", argument.substr(0, equals), folder.string()));
    if (sets.empty() || sets.back().name != argument.substr(0, equals)) sets.push_back({argument.substr(0, equals), {}});
    sets.back().folders.push_back(folder);
  }
  return sets;
}

std::vector<fs::path> test_folders(const TestSet& set) {
  std::vector<fs::path> folders;
  for (const fs::path& root : set.folders)
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.path().filename() == "model.onnx") folders.push_back(entry.path().parent_path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// A model of one operator counts for it; larger ones count together.
std::string subject(const BackendTest& test) { return test.operators().size() == 1 ? test.operators().front() : "(several operators)"; }

void record(Report& report, const BackendTest& test, const Scope& scope) {
  Tally& tally = report.by_operator[subject(test)];
  if (const ScopeRow* row = scope.excludes(test.name(), test.operators(), test.types())) {
    ++tally.excluded, ++report.total.excluded;
    if (tally.reason.find(row->reason) == std::string::npos) tally.reason += (tally.reason.empty() ? "" : "; ") + row->reason;
  } else if (const auto cause = test.failure(scope.tolerance(test.name()))) {
    ++tally.failed, ++report.total.failed;
    report.failures.push_back(fmt::format("FAILED {} [{}]: {}", test.name(), subject(test), *cause));
  } else {
    ++tally.passed, ++report.total.passed;
    report.operators.insert(test.operators().begin(), test.operators().end());
  }
}

Report evaluate(const TestSet& set, const std::string& scope_path) {
  const Scope scope = Scope::read(scope_path, set.name);
  Report report{set.name, {}, {}, {}, {}, {}};
  for (const fs::path& folder : test_folders(set)) record(report, BackendTest(folder), scope);
  for (const ScopeRow* row : scope.unused())
    report.unused.push_back(
        fmt::format("{}:{}: no test of set {} meets '{}'. do: take the set out of the row", scope_path, row->line, set.name, row->pattern));
  return report;
}

void print(const Report& report) {
  fmt::print("set {}\n{:<28} {:>6} {:>6} {:>12}\n", report.set, "operator", "passed", "failed", "out of scope");
  const auto row = [](const std::string& name, const Tally& tally) {
    fmt::print("{:<28} {:>6} {:>6} {:>12}{}{}\n", name, tally.passed, tally.failed, tally.excluded, tally.reason.empty() ? "" : "  ",
               tally.reason);
  };
  for (const auto& [name, tally] : report.by_operator) row(name, tally);
  row("all", report.total);
  for (const std::string& failure : report.failures) fmt::print("{}\n", failure);
  for (const std::string& unused : report.unused) fmt::print("{}\n", unused);
  fmt::print("{}: {} of {} tests in scope pass, {} are out of scope; {} operators\n", report.set, report.total.passed,
             report.total.in_scope(), report.total.excluded, report.operators.size());
}

void write_markdown(const std::string& path, const std::vector<Report>& reports) {
  std::ofstream file(path);
  file << "| set | in scope | passed | failed | out of scope | operators |\n| --- | --: | --: | --: | --: | "
          "--: |\n";
  for (const Report& report : reports)
    file << fmt::format("| {} | {} | {} | {} | {} | {} |\n", report.set, report.total.in_scope(), report.total.passed, report.total.failed,
                        report.total.excluded, report.operators.size());
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Evaluates ONNX backend tests with the oracle"};
  std::vector<std::string> arguments;
  std::string scope_path, markdown;
  double min_pass = 1;
  app.add_option("sets", arguments, "<name>=<folder>: every folder below that holds model.onnx is a test of the set")->required();
  app.add_option("--scope", scope_path, "What is out of scope in which set, and why: scope.tsv")->required();
  app.add_option("--min-pass", min_pass, "Least share of the tests in scope that must pass, in each set")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--markdown", markdown, "File for the totals as a Markdown table, a row for each set");
  CLI11_PARSE(app, argc, argv);
  try {
    bool good = true;
    std::vector<Report> reports;
    for (const TestSet& set : read_sets(arguments)) {
      reports.push_back(evaluate(set, scope_path));
      const Report& report = reports.back();
      print(report);
      good = good && report.unused.empty() && report.total.in_scope() > 0 && report.total.passed >= min_pass * report.total.in_scope();
    }
    if (!markdown.empty()) write_markdown(markdown, reports);
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "conformance: {}\n", error.what());
    return 2;
  }
}
