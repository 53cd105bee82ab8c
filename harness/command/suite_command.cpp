// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "assay/spec/nearest.h"
#include "assay/spec/suite.h"
#include "commands.h"

namespace assay::command {
namespace {

using spec::Coverage, spec::Suite;

struct Served {
  std::size_t rows = 0, served = 0;
};

Served count(const Suite::Group& group, const Coverage& covered) {
  const auto is_served = [&](const std::string& row) { return !covered.tasks_of_row.at(row).empty(); };
  return {group.rows.size(), static_cast<std::size_t>(std::ranges::count_if(group.rows, is_served))};
}

Served count(const Suite& suite, const Coverage& covered) {
  Served all;
  for (const Suite::Group& group : suite.groups) {
    const Served some = count(group, covered);
    all.rows += some.rows;
    all.served += some.served;
  }
  return all;
}

/// What a suite's file must not say: that no kernel can be asked for a row which a task serves.
std::vector<std::string> contradictions(const Suite& suite, const Coverage& covered) {
  std::vector<std::string> rows;
  for (const auto& [row, why] : suite.without)
    if (!covered.tasks_of_row.at(row).empty()) rows.push_back(row);
  return rows;
}

void print_all(const std::vector<Suite>& suites, const std::vector<spec::ListedTask>& tasks) {
  fmt::print("{:<20} {:>5} {:>7} {:>8}  {}\n", "suite", "rows", "served", "without", "title");
  for (const Suite& suite : suites) {
    const Served served = count(suite, spec::coverage(suite, tasks));
    fmt::print("{:<20} {:>5} {:>7} {:>8}  {}\n", suite.name, served.rows, served.served, suite.without.size(), suite.title);
  }
}

void print_one(const Suite& suite, const Coverage& covered, bool missing) {
  const Served all = count(suite, covered);
  fmt::print("{}: {} of {} rows served\n{}, version {}\n", suite.title, all.served, all.rows, suite.source, suite.version);
  for (const Suite::Group& group : suite.groups) {
    const Served some = count(group, covered);
    fmt::print("\n{}: {} of {}\n", group.name, some.served, some.rows);
    for (const std::string& row : group.rows) {
      const auto& tasks = covered.tasks_of_row.at(row);
      if (missing != tasks.empty()) continue;
      if (const auto why = suite.without.find(row); missing && why != suite.without.end()) fmt::print("  {:<48} {}\n", row, why->second);
      else if (missing) fmt::print("  {}\n", row);
      else fmt::print("  {:<48} {}\n", row, fmt::join(tasks, " "));
    }
  }
}

/// The suite that is called so; with all where there is none.
const Suite& find_suite(const std::vector<Suite>& suites, const std::string& name, const std::string& folder) {
  const auto found = std::ranges::find(suites, name, &Suite::name);
  if (found != suites.end()) return *found;
  std::vector<std::string> names;
  for (const Suite& suite : suites) names.push_back(suite.name);
  throw std::runtime_error(
      fmt::format("suite: {}/suites has no '{}'{}. known: {}", folder, name, spec::did_you_mean(name, names), fmt::join(names, " ")));
}

}  // namespace

static void add_suite_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("suite", "say which rows of a published suite the tasks serve");
  auto name = std::make_shared<std::string>(), folder = std::make_shared<std::string>("tasks");
  auto missing = std::make_shared<bool>(false);
  command->add_option("name", *name, "a suite (default: all, in one line each)");
  command->add_option("--tasks", *folder, "folder of <category>/<name>/task.yaml and suites/<suite>.yaml")->capture_default_str();
  command->add_flag("--missing", *missing, "list the rows that no task serves");
  command->callback([=, &exit_code] {
    const std::vector<Suite> suites = spec::load_suites(*folder);
    if (suites.empty())
      throw std::runtime_error(fmt::format("suite: {0}/suites has none. do: name the tasks' folder with --tasks", *folder));
    const std::vector<spec::ListedTask> tasks = spec::list_tasks(*folder);
    if (name->empty()) print_all(suites, tasks);
    for (const Suite& suite : suites) {
      if (!name->empty() && &suite != &find_suite(suites, *name, *folder)) continue;
      const Coverage covered = spec::coverage(suite, tasks);
      if (!name->empty()) print_one(suite, covered, *missing);
      for (const std::string& row : contradictions(suite, covered)) {
        fmt::print(stderr, "assay: {}/suites/{}.yaml: without: '{}' is served by {}. do: remove it there\n", *folder, suite.name, row,
                   fmt::join(covered.tasks_of_row.at(row), " "));
        exit_code = 2;
      }
      for (const std::string& unknown : covered.unknown) {
        fmt::print(stderr, "assay: {}: no row of {}. do: correct it there, or add it to {}/suites/{}.yaml\n", unknown, suite.title, *folder,
                   suite.name);
        exit_code = 2;
      }
    }
  });
}
static const bool suite_defined = define_command("suite", add_suite_command);

}  // namespace assay::command
