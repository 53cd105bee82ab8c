// SPDX-License-Identifier: Apache-2.0
// A suite, <tasks>/suites/<name>.yaml: the rows of a published one and which tasks serve them, or the tasks of one of our own.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "assay/spec/task.h"

namespace assay::spec {

struct Suite {
  struct Group {
    std::string name;
    std::vector<std::string> rows;
  };
  std::string name, title, source, version;
  std::vector<Group> groups;
  bool lists_tasks = false;                    ///< its rows are the names of tasks
  std::map<std::string, std::string> without;  ///< rows that no kernel can be asked for, and why
  struct Shapes {
    SourceLocation where;
    std::vector<Dims> all;
  };
  std::map<std::string, Shapes> shapes;  ///< the extents that rows have where they were published
  using Inputs = std::map<std::string, InputInit>;
  /// What rows draw inputs from where they were published, of a task that serves them; throws SpecError where that has no such input.
  std::map<std::string, std::function<Inputs(const Task&)>> inputs;
  std::string profile;  ///< whose rules it is judged by where it was published (cases/profile.h); may be empty
};

/// Throws SpecError: an unknown key, a row twice, both rows and tasks, a row `without` a kernel that is none of the rows.
Suite load_suite(const std::filesystem::path& file);
/// All suites of the folder `tasks`, by name.
std::vector<Suite> load_suites(const std::filesystem::path& tasks);

/// What a task's file says before its model is looked at: a thousand are listed at once.
struct ListedTask {
  std::string name, category;
  TaskFile from;
  SuiteRows suites;
};
/// Every task below the folder `tasks`: <category>/<name>/task.yaml, and those of <category>/<family>.yaml. Throws SpecError.
std::vector<ListedTask> list_tasks(const std::filesystem::path& tasks);

/// The names of the tasks that stand in one file with this one, itself among them; none for a task of no family. Throws SpecError.
std::vector<std::string> family_of(const TaskFile& task);

struct Coverage {
  std::map<std::string, std::vector<std::string>> tasks_of_row;
  std::vector<std::string> unknown;  ///< "<task file>: <row>": a row that the suite does not have
};
Coverage coverage(const Suite& suite, const std::vector<ListedTask>& tasks);

/// Sets task.rows[suite.name] to the rows that the task serves, each at its shapes, and task.timing[suite.name] to these shapes, each
/// once; does nothing where they have none. Throws SpecError where a shape leaves out a dimension of the task, has one that the task has
/// not, or extents that do not suit it, and where inputs cannot be drawn.
void add_rows(Task& task, const Suite& suite);
/// Why shapes or inputs do not suit tasks that serve their rows, a text for each such task.
std::vector<std::string> unsuitable_rows(const Suite& suite, const std::vector<ListedTask>& tasks);
/// <tasks>/suites/<suite>.yaml, where the task stands in the folder <tasks>.
std::filesystem::path suite_file(const TaskFile& task, const std::string& suite);

}  // namespace assay::spec
