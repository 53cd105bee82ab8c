// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "assay/cases/profile.h"
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

/// For each kind of file, .cpp and others, the tasks that have a reference of that kind.
using References = std::map<std::string, std::set<std::string>>;

References list_references(const std::filesystem::path& folder) {
  References references;
  if (!std::filesystem::is_directory(folder)) return references;
  for (const auto& category : std::filesystem::directory_iterator(folder))
    if (category.is_directory() && category.path().filename() != "blocks")  // what references share
      for (const auto& file : std::filesystem::directory_iterator(category))
        if (file.is_regular_file()) references[file.path().extension().string()].insert(file.path().stem().string());
  return references;
}

/// The end of a line: how many of the tasks have a reference of each kind.
void print_counts(const std::set<std::string>& tasks, const References& references, const std::string& title) {
  fmt::print(" {:>6}", tasks.size());
  for (const auto& [kind, have] : references)
    fmt::print(" {:>6}", std::ranges::count_if(tasks, [&](const std::string& task) { return have.contains(task); }));
  fmt::print("  {}\n", title);
}

/// One line for each suite: its rows, the tasks that serve them, and how many of these have a reference of each kind; then all tasks.
void print_all(const std::vector<Suite>& suites, const std::vector<spec::ListedTask>& tasks, const References& references) {
  std::set<std::string> all;
  for (const spec::ListedTask& task : tasks) all.insert(task.name);
  fmt::print("{:<20} {:>5} {:>7} {:>8} {:>6}", "suite", "rows", "served", "without", "tasks");
  for (const auto& [kind, have] : references) fmt::print(" {:>6}", kind);
  fmt::print("  title\n");
  for (const Suite& suite : suites) {
    const Coverage covered = spec::coverage(suite, tasks);
    const Served served = count(suite, covered);
    std::set<std::string> serving;
    for (const auto& [row, names] : covered.tasks_of_row) serving.insert(names.begin(), names.end());
    fmt::print("{:<20} {:>5} {:>7} {:>8}", suite.name, served.rows, served.served, suite.without.size());
    print_counts(serving, references, suite.title);
  }
  fmt::print("{:<43}", "");
  print_counts(all, references, "all tasks");
}

/// "N 64, C 1024", of each shape that the suite gives the row.
std::string shapes_text(const Suite& suite, const std::string& row) {
  const auto found = suite.shapes.find(row);
  if (found == suite.shapes.end()) return {};
  std::vector<std::string> shapes;
  for (const auto& shape : found->second.all) {
    std::vector<std::string> extents;
    for (const auto& [name, extent] : shape) extents.push_back(fmt::format("{} {}", name, extent));
    shapes.push_back(fmt::to_string(fmt::join(extents, ", ")));
  }
  return fmt::format("  ({})", fmt::join(shapes, "; "));
}

void print_one(const Suite& suite, const Coverage& covered, bool missing) {
  const Served all = count(suite, covered);
  if (suite.lists_tasks) fmt::print("{}: {} tasks\n", suite.title, all.rows);
  else fmt::print("{}: {} of {} rows served\n{}, version {}\n", suite.title, all.served, all.rows, suite.source, suite.version);
  if (!suite.profile.empty()) fmt::print("rules {}: {}\n", suite.profile, cases::find_profile(suite.profile).tolerance);
  for (const Suite::Group& group : suite.groups) {
    const Served some = count(group, covered);
    fmt::print("\n{}: {} of {}\n", group.name, some.served, some.rows);
    for (const std::string& row : group.rows) {
      const auto& tasks = covered.tasks_of_row.at(row);
      if (missing != tasks.empty()) continue;
      if (const auto why = suite.without.find(row); missing && why != suite.without.end()) fmt::print("  {:<48} {}\n", row, why->second);
      else if (missing) fmt::print("  {}\n", row);
      else fmt::print("  {:<48} {}{}\n", row, fmt::join(tasks, " "), shapes_text(suite, row));
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
  CLI::App* command = app.add_subcommand("suite", "say which rows of a published suite the tasks serve, and which references there are");
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
    if (name->empty()) print_all(suites, tasks, list_references(std::filesystem::absolute(*folder).parent_path() / "references"));
    for (const Suite& suite : suites) {
      if (!name->empty() && &suite != &find_suite(suites, *name, *folder)) continue;
      const Coverage covered = spec::coverage(suite, tasks);
      if (!name->empty()) {
        print_one(suite, covered, *missing);
        for (const std::string& why : spec::unsuitable_rows(suite, tasks)) {
          fmt::print(stderr, "assay: {}\n", why);
          exit_code = 2;
        }
      }
      for (const std::string& row : contradictions(suite, covered)) {
        fmt::print(stderr, "assay: {}/suites/{}.yaml: without: '{}' is served by {}. do: remove it there\n", *folder, suite.name, row,
                   fmt::join(covered.tasks_of_row.at(row), " "));
        exit_code = 2;
      }
      for (const auto& [row, serving] : covered.tasks_of_row) {
        if (!suite.lists_tasks || !serving.empty()) continue;
        fmt::print(stderr, "assay: {}/suites/{}.yaml: '{}' is no task. do: correct it, or remove it\n", *folder, suite.name, row);
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
