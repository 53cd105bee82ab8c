// SPDX-License-Identifier: Apache-2.0
// `assay evaluate`: has CTest judge what is new or stale, and shows how that goes. evaluate() is the table of contents.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <set>
#include <thread>

#include "assay/record/printable.h"
#include "assay/report/progress.h"
#include "assay/report/report.h"
#include "assay/spec/nearest.h"
#include "build_tree.h"
#include "commands.h"
#include "ctest.h"

namespace assay::command {
namespace {

namespace fs = std::filesystem;

struct EvaluateOptions {
  std::string build = "build/evaluate";
  std::vector<std::string> tasks, suites, runs, backends, ctest;
  int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool again = false, verbose = false;
};

bool contains(const std::vector<std::string>& words, const std::string& word) { return std::ranges::find(words, word) != words.end(); }

/// Refuses a name that no candidate has.
void require_among(const std::string& option, const std::vector<std::string>& names, const std::vector<std::string>& known) {
  for (const std::string& name : names)
    if (!contains(known, name))
      throw std::runtime_error(
          fmt::format("{} {}: no candidate has it{}. known: {}", option, name, spec::did_you_mean(name, known), fmt::join(known, " ")));
}

void require_known(const BuildTree& tree, const std::string& option, const std::vector<std::string>& names,
                   std::string record::SampleName::*part) {
  std::set<std::string> known;
  for (const auto& [name, source] : tree.candidates()) known.insert(record::parse_test_name(name + ".test")->sample.*part);
  require_among(option, names, {known.begin(), known.end()});
}

/// What CTest is told, so that it lists tests of the suites' tasks alone.
std::vector<std::string> filters(const BuildTree& tree, const EvaluateOptions& options) {
  std::vector<std::string> filters = options.ctest;
  if (options.suites.empty()) return filters;
  const std::string prefix = "suite:";
  std::vector<std::string> known;
  for (const std::string& label : list_labels(tree.folder()))
    if (label.starts_with(prefix)) known.push_back(label.substr(prefix.size()));
  require_among("--suite", options.suites, known);
  filters.insert(filters.end(), {"-L", fmt::format("^{}({})$", prefix, fmt::join(options.suites, "|"))});
  return filters;
}

/// The candidates' tests that were asked for.
std::vector<ListedTest> chosen_tests(const BuildTree& tree, const EvaluateOptions& options) {
  require_known(tree, "--task", options.tasks, &record::SampleName::task);
  require_known(tree, "--run", options.runs, &record::SampleName::run);
  require_known(tree, "--backend", options.backends, &record::SampleName::backend);
  const auto wanted = [](const std::vector<std::string>& names, const std::string& name) { return names.empty() || contains(names, name); };
  std::vector<ListedTest> tests = list_tests(tree.folder(), filters(tree, options));
  std::erase_if(tests, [&](const ListedTest& test) {
    const auto name = record::parse_test_name(test.name);
    return !name || !wanted(options.tasks, name->sample.task) || !wanted(options.runs, name->sample.run) ||
           !wanted(options.backends, name->sample.backend);
  });
  if (tests.empty())
    throw std::runtime_error(
        "evaluate: no candidate's test is chosen. do: check --task, --suite, --run, --backend and what ctest is given");
  return tests;
}

std::vector<std::string> names_of(const std::vector<ListedTest>& tests) {
  std::vector<std::string> names;
  for (const ListedTest& test : tests) names.push_back(test.name);
  return names;
}

report::ProgressStyle style_of_terminal() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return {};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  return {true, known ? size.ws_col : std::size_t{80}, 0};
}

/// Runs `names` of `tests` and shows it; returns how many could not be judged.
int run_tests(const BuildTree& tree, const EvaluateOptions& options, const std::vector<ListedTest>& tests,
              const std::vector<std::string>& names) {
  // All that a candidate needs is among the names, or was judged; CTest adds cases, machine and canaries.
  CTestRun run{tree.folder(), {}, "[.](compile|test)$", tree.folder() / "junit.xml", options.jobs, options.verbose};
  const std::set<std::string> wanted(names.begin(), names.end());
  for (const ListedTest& test : tests)
    if (wanted.contains(test.name)) run.numbers.push_back(test.number);
  const std::string begin = results::time_now();
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  report::Progress progress("judged", names, options.jobs, style_of_terminal(), std::cout);
  run_ctest(run, [&](std::string_view line) {
    if (options.verbose) std::cout << record::printable(line) << std::endl;
    const auto ended = report::parse_ctest_line(line);
    if (!ended) return;
    auto result = results::read_result(tree.results_folder(), ended->name);
    if (result && result->began < begin) result.reset();
    progress.add(*ended, result ? &*result : nullptr, seconds());
  });
  progress.finish(seconds());
  return progress.harness_errors();
}

int judge(const BuildTree& tree, const EvaluateOptions& options, const std::vector<ListedTest>& tests) {
  const std::vector<std::string> all = names_of(tests);
  const std::vector<std::string> names = options.again ? all : report::tests_to_run(all, tree.results(), tree.declared());
  if (names.size() < all.size())
    std::cout << fmt::format(
        "{} of {} tests have a result that is not older than their source, plan and tools (--again judges them anew)\n",
        all.size() - names.size(), all.size());
  return names.empty() ? 0 : run_tests(tree, options, tests, names);
}

int evaluate(const EvaluateOptions& options) {
  const BuildTree tree(options.build);
  const std::vector<ListedTest> tests = chosen_tests(tree, options);
  const int errors = judge(tree, options, tests);
  if (errors > 0)
    std::cout << fmt::format("{} could not be judged, through no fault of a candidate: see {}\n", errors,
                             (tree.folder() / "Testing/Temporary/LastTest.log").string());
  return errors > 0 ? report::report_harness_error : report::report_fine;
}

}  // namespace

static void add_evaluate_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand("evaluate", "have CTest judge what is new or stale in a build folder");
  command->add_option("--build", options->build, "built folder")->capture_default_str();
  command->add_option("--task", options->tasks, "only this task (repeatable)")->allow_extra_args(false);
  command->add_option("--suite", options->suites, "only tasks of this published suite (repeatable)")->allow_extra_args(false);
  command->add_option("--run", options->runs, "only this run (repeatable)")->allow_extra_args(false);
  command->add_option("--backend", options->backends, "only this backend (repeatable)")->allow_extra_args(false);
  command->add_option("--jobs", options->jobs, "tests at a time")->check(CLI::Range(1, 4096))->capture_default_str();
  command->add_flag("--again", options->again, "judge what has been judged, too");
  command->add_flag("--verbose", options->verbose, "print what CTest and failing tests print");
  command->add_option("ctest", options->ctest, "after --: filters of ctest, such as -L '^difficulty:1$'");
  command->footer("Exit codes: 0 all was judged, whatever the verdicts; 2 bad input; 3 a HARNESS_ERROR.");
  command->callback([options, &exit_code] { exit_code = evaluate(*options); });
}
static const bool evaluate_defined = define_command("evaluate", add_evaluate_command);

}  // namespace assay::command
