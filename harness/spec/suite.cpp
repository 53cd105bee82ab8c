// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "assay/spec/countable.h"
#include "assay/spec/yaml_reader.h"
#include "derived_dims.h"
#include "family.h"
#include "input_inits.h"
#include "suite_rows.h"
#include "task_keys.h"

namespace assay::spec {
namespace {

namespace fs = std::filesystem;

YamlFile read_yaml(const fs::path& path) {
  std::ifstream in(path);
  if (!in) throw SpecError({path.string(), 0, 0}, "cannot be read. do: check that the file exists");
  std::ostringstream text;
  text << in.rdbuf();
  return {path.string(), text.str()};
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

Dims read_shape(const YamlFile& file, const YAML::Node& node, const std::string& who) {
  file.require_keys(node, who, {});
  Dims shape;
  for (const auto& entry : node) {
    const std::string name = file.key(entry.first);
    shape[name] = file.integer(entry.second, who + ": " + name);
    if (shape[name] < 1) file.fail(entry.second, fmt::format("{}: {} must be at least 1, got {}", who, name, shape[name]));
  }
  return shape;
}

void read_shapes(const YamlFile& file, const std::set<std::string>& rows, Suite& suite) {
  const YAML::Node shapes = file.root()["shapes"];
  if (shapes) file.require_keys(shapes, "shapes", {});
  for (const auto& entry : shapes) {
    const std::string row = file.key(entry.first), who = "shapes: " + row;
    if (!rows.contains(row)) file.fail(entry.first, fmt::format("shapes: '{}' is none of the rows. do: correct it, or remove it", row));
    const YAML::Mark mark = entry.first.Mark();
    Suite::Shapes& of_row = suite.shapes[row] = {{file.path(), mark.line + 1, mark.column + 1}, {}};
    if (!entry.second.IsSequence()) of_row.all.push_back(read_shape(file, entry.second, who));
    else
      for (const auto& shape : entry.second) of_row.all.push_back(read_shape(file, shape, who));
  }
}

/// What a row says of all inputs that are reals, or of each by its name.
Suite::Inputs read_row_inputs(const YamlFile& file, const YAML::Node& node, const std::string& who, const Task& task) {
  Suite::Inputs inputs;
  if (!node.IsScalar() && !node["init"]) return read_inputs(file, node, who, task);
  for (const TensorSpec& input : task.model.inputs)
    if (is_real(input.type)) inputs[input.name] = read_init(file, node, who, input, task);
  if (inputs.empty()) file.fail(node, fmt::format("{}: {} has no real input. do: name its inputs", who, task.name));
  return inputs;
}

void read_all_inputs(const YamlFile& file, Suite& suite) {
  const YAML::Node inputs = file.root()["inputs"];
  if (inputs) file.require_keys(inputs, "inputs", {});
  for (const auto& entry : inputs) {
    const std::string row = file.key(entry.first), who = "inputs: " + row;
    if (!suite.shapes.contains(row)) file.fail(entry.first, who + ": has no shape. do: give it one under shapes, or remove it");
    suite.inputs[row] = [file, node = YAML::Node(entry.second), who](const Task& task) { return read_row_inputs(file, node, who, task); };
  }
}

void list_family(const fs::path& path, std::vector<ListedTask>& tasks) {
  YamlFile family = read_yaml(path);
  if (!is_family(family)) family.fail(family.root(), "is no family: it has no 'tasks'. do: move it to <name>/task.yaml");
  for (const Member& member : members(family)) {
    speak_for(family, member, task_keys());
    TaskFile from(path);
    from.member = member.name;
    tasks.push_back(
        {member.name, path.parent_path().filename().string(), from, read_suite_rows(family, said_of(family, member, "suites"))});
  }
}

}  // namespace

SuiteRows read_suite_rows(const YamlFile& file, const YAML::Node& node) {
  SuiteRows suites;
  if (!node) return suites;
  if (node.IsSequence()) {
    for (const std::string& name : file.texts(node, "suites")) suites[name];
    return suites;
  }
  if (!node.IsMap()) file.fail(node, "suites: must be a list of suites, or their rows, like {npueval: [relu_bfloat16]}");
  for (const auto& entry : node) {
    const std::string name = file.key(entry.first);
    suites[name] = file.texts(entry.second, "suites: " + name);
  }
  return suites;
}

Suite load_suite(const fs::path& path) {
  const YamlFile file = read_yaml(path);
  file.require_keys(file.root(), "suite", {"title", "source", "version", "rows", "tasks", "without", "shapes", "inputs", "profile"});
  const auto text = [&](const char* key) { return file.text(file.require(file.root(), "suite", key), key); };
  Suite suite;
  suite.name = path.stem().string();
  suite.title = text("title");
  suite.lists_tasks = static_cast<bool>(file.root()["tasks"]);
  if (suite.lists_tasks)
    for (const char* key : {"source", "version", "rows", "without", "inputs", "profile"})
      if (const YAML::Node other = file.root()[key])
        file.fail(other, fmt::format("suite: '{}' is of a suite with rows. do: remove it, or 'tasks'", key));
  if (!suite.lists_tasks) {
    suite.source = text("source");
    suite.version = text("version");
  }
  const std::string kind = suite.lists_tasks ? "tasks" : "rows";
  const YAML::Node rows = file.require(file.root(), "suite", kind);
  file.require_keys(rows, kind, {});
  std::set<std::string> seen;
  for (const auto& group : rows) {
    const std::string name = file.key(group.first);
    suite.groups.push_back({name, file.texts(group.second, kind + ": " + name)});
    for (const std::string& row : suite.groups.back().rows)
      if (!seen.insert(row).second) file.fail(group.second, fmt::format("{}: {}: '{}' is there twice. do: remove one", kind, name, row));
  }
  const YAML::Node without = file.root()["without"];
  if (without) file.require_keys(without, "without", {});
  for (const auto& entry : without) {
    const std::string row = file.key(entry.first);
    if (!seen.contains(row)) file.fail(entry.first, fmt::format("without: '{}' is none of the rows. do: correct it, or remove it", row));
    suite.without[row] = file.text(entry.second, "without: " + row);
  }
  read_shapes(file, seen, suite);
  read_all_inputs(file, suite);
  if (file.root()["profile"]) suite.profile = text("profile");
  return suite;
}

std::vector<Suite> load_suites(const fs::path& tasks) {
  std::vector<Suite> suites;
  if (!fs::is_directory(tasks / "suites")) return suites;
  for (const fs::path& path : sorted_entries(tasks / "suites"))
    if (path.extension() == ".yaml") suites.push_back(load_suite(path));
  return suites;
}

std::vector<ListedTask> list_tasks(const fs::path& tasks) {
  std::vector<ListedTask> listed;
  if (!fs::is_directory(tasks)) throw SpecError({tasks.string(), 0, 0}, "is no folder. do: name the folder of <category>/<name>/task.yaml");
  for (const fs::path& category : sorted_entries(tasks)) {
    if (!fs::is_directory(category) || category.filename() == "suites") continue;
    for (const fs::path& path : sorted_entries(category)) {
      if (path.extension() == ".yaml") list_family(path, listed);
      else if (fs::is_regular_file(path / "task.yaml")) {
        const YamlFile file = read_yaml(path / "task.yaml");
        listed.push_back(
            {path.filename().string(), category.filename().string(), path / "task.yaml", read_suite_rows(file, file.root()["suites"])});
      }
    }
  }
  return listed;
}

std::vector<std::string> family_of(const TaskFile& task) {
  std::vector<std::string> names;
  if (task.member.empty()) return names;
  const YamlFile family = read_yaml(task.file);
  for (const Member& member : members(family)) names.push_back(member.name);
  return names;
}

Coverage coverage(const Suite& suite, const std::vector<ListedTask>& tasks) {
  Coverage covered;
  for (const Suite::Group& group : suite.groups)
    for (const std::string& row : group.rows) covered.tasks_of_row[row];
  for (const ListedTask& task : tasks) {
    if (suite.lists_tasks) {
      if (const auto found = covered.tasks_of_row.find(task.name); found != covered.tasks_of_row.end()) found->second.push_back(task.name);
      continue;
    }
    const auto named = task.suites.find(suite.name);
    if (named == task.suites.end()) continue;
    for (const std::string& row : named->second)
      if (const auto found = covered.tasks_of_row.find(row); found != covered.tasks_of_row.end()) found->second.push_back(task.name);
      else covered.unknown.push_back(fmt::format("{}: {}", task.from.text(), row));
  }
  return covered;
}

namespace {

/// As a task's own timing has it.
DimRanges ranges_of(const Dims& shape, const Task& task, const SourceLocation& where, const std::string& who) {
  DimRanges ranges;
  for (const auto& [name, extent] : shape) {
    if (std::ranges::find(task.free_dims, name) == task.free_dims.end())
      throw SpecError(where,
                      fmt::format("{}: '{}' is no dimension of {}. known: {}", who, name, task.name, fmt::join(task.free_dims, " ")));
    ranges[name] = {extent, extent};
  }
  for (const std::string& name : task.free_dims) {
    const auto own = task.dim_ranges.find(name);
    if (!ranges.contains(name) && own != task.dim_ranges.end() && own->second.constant()) ranges[name] = own->second;
    if (!ranges.contains(name)) throw SpecError(where, fmt::format("{}: dimension '{}' of {} is not given", who, name, task.name));
  }
  return ranges;
}

/// Those with shapes that the task serves.
std::vector<std::string> rows_of(const Suite& suite, const std::string& task, const SuiteRows& served) {
  const auto serves = served.find(suite.name);
  std::vector<std::string> rows;
  if (suite.lists_tasks) rows.push_back(task);
  else if (serves != served.end()) rows = serves->second;
  std::erase_if(rows, [&](const std::string& row) { return !suite.shapes.contains(row); });
  return rows;
}

void require_tensors(const DimRanges& ranges, const Task& task, const SourceLocation& where, const std::string& who) {
  Dims dims;
  for (const auto& [name, range] : ranges) dims[name] = range.high;
  for (const Shape& tensor : concrete_shapes(task.model.inputs, dims))
    if (!is_countable(tensor)) throw SpecError(where, fmt::format("{}: no machine holds an input of shape {}", who, to_string(tensor)));
}

bool same_draws(const Suite::Inputs& a, const Suite::Inputs& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.kind == y.second.kind && x.second.numbers == y.second.numbers && x.second.names == y.second.names;
  });
}

}  // namespace

void add_rows(Task& task, const Suite& suite) {
  std::vector<DimRanges> timed;
  std::vector<Case> published;
  for (const std::string& row : rows_of(suite, task.name, task.suites)) {
    const Suite::Shapes& of_row = suite.shapes.at(row);
    const std::string who = "shapes: " + row;
    const auto read = suite.inputs.find(row);
    const Suite::Inputs inputs = read == suite.inputs.end() ? Suite::Inputs() : read->second(task);
    for (const Dims& shape : of_row.all) {
      const DimRanges ranges = ranges_of(shape, task, of_row.where, who);
      require_values(task, ranges, who);
      require_tensors(ranges, task, of_row.where, who);
      const auto is_same = [&](const Case& other) { return other.dims == ranges && same_draws(other.inputs, inputs); };
      if (std::ranges::any_of(published, is_same)) continue;
      published.push_back(
          {&shape == &of_row.all.front() ? row : fmt::format("{} {}", row, &shape - of_row.all.data() + 1), ranges, inputs});
      require_drawable(task, published.back());
      if (std::ranges::find(timed, ranges) == timed.end()) timed.push_back(ranges);
    }
  }
  if (timed.empty()) return;
  task.timing[suite.name] = std::move(timed);
  task.rows[suite.name] = std::move(published);
  require_drawable(task);
}

std::vector<std::string> unsuitable_rows(const Suite& suite, const std::vector<ListedTask>& tasks) {
  std::vector<std::string> why;
  for (const ListedTask& listed : tasks) {
    if (rows_of(suite, listed.name, listed.suites).empty()) continue;
    Task task = load_checked_task(listed.from);
    try {
      add_rows(task, suite);
    } catch (const SpecError& error) {
      why.emplace_back(error.what());
    }
  }
  return why;
}

fs::path suite_file(const TaskFile& task, const std::string& suite) {
  const fs::path folder = fs::absolute(task.file).lexically_normal().parent_path();
  const fs::path category = task.member.empty() ? folder.parent_path() : folder;
  return category.parent_path() / "suites" / (suite + ".yaml");
}

}  // namespace assay::spec
