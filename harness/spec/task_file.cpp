// SPDX-License-Identifier: Apache-2.0
// task.yaml to Task: fields in the order of the file's documentation, each checked as it is read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "assay/spec/cases.h"
#include "assay/spec/dim_expression.h"
#include "assay/spec/name.h"
#include "assay/spec/task.h"
#include "assay/spec/yaml_reader.h"
#include "compute.h"
#include "derived_dims.h"
#include "family.h"
#include "input_inits.h"
#include "model_text.h"
#include "oracle_body.h"
#include "reserved_names.h"
#include "suite_rows.h"
#include "task_keys.h"

namespace assay::spec {
namespace {

/// Of an honest kernel's error: eight times what is accepted where a task says nothing. Beyond it lower precision passes.
constexpr double kLargestFactor = 32;

DimRange read_range(const YamlFile& file, const YAML::Node& node, const std::string& who) {
  DimRange range;
  if (node.IsScalar()) {
    range.low = range.high = file.integer(node, who);
  } else if (node.IsSequence() && (node.size() == 2 || node.size() == 3)) {
    range.low = file.integer(node[0], who);
    range.high = file.integer(node[1], who);
    if (node.size() == 3) range.step = file.integer(node[2], who);
  } else {
    file.fail(node, who + ": must be a number, [low, high] or [low, high, step]");
  }
  if (range.low < 1 || range.high < range.low || range.step < 1)
    file.fail(node, fmt::format("{}: needs 1 <= low <= high and step >= 1, got [{}, {}, {}]", who, range.low, range.high, range.step));
  if (range.high > kLargestExtent || range.step > kLargestExtent)
    file.fail(node, fmt::format("{}: must be at most {}, got [{}, {}, {}]", who, kLargestExtent, range.low, range.high, range.step));
  return range;
}

std::map<std::string, DimRange> read_dims(const YamlFile& file, const YAML::Node& node, const std::string& who, const Task& task) {
  std::map<std::string, DimRange> dims;
  if (!node) return dims;
  file.require_keys(node, who, {});
  for (const auto& entry : node) {
    const std::string name = file.key(entry.first);
    if (std::ranges::find(task.free_dims, name) == task.free_dims.end())
      file.fail(entry.first, fmt::format("{}: '{}' is not a dimension of an input. known: {}", who, name, fmt::join(task.free_dims, " ")));
    dims[name] = read_range(file, entry.second, who + ": " + name);
  }
  return dims;
}

void read_cases(const YamlFile& file, const YAML::Node& root, Task& task) {
  const bool replaces = root["replace_cases"].IsDefined();
  if (replaces && file.text(root["replace_cases"], "replace_cases").empty())
    file.fail(root["replace_cases"], "replace_cases: say why the usual cases will not do");
  if (!replaces) {
    for (const std::string& dim : task.free_dims)
      if (!task.dim_ranges.contains(dim))
        file.fail(root, fmt::format("dims: '{}' has no range. do: add it to dims, or give cases and replace_cases", dim));
    task.cases = usual_cases(task);
  }
  const YAML::Node cases = root["cases"];
  if (cases && !cases.IsSequence()) file.fail(cases, "cases: must be a list");
  for (const auto& node : cases) {
    file.require_keys(node, "case", {"name", "dims", "inputs", "why"});
    Case entry{file.text(file.require(node, "case", "name"), "case: name"), task.dim_ranges, {}};
    if (!is_name(entry.name)) file.fail(node["name"], fmt::format("case: name '{}' must match [a-z][a-z0-9_]*", entry.name));
    const std::string who = "case '" + entry.name + "'";
    std::erase_if(task.cases, [&](const Case& usual) { return usual.name == entry.name; });
    for (const auto& [name, range] : read_dims(file, node["dims"], who + ": dims", task)) entry.dims[name] = range;
    entry.inputs = read_inputs(file, node["inputs"], who + ": inputs", task);
    for (const std::string& dim : task.free_dims)
      if (!entry.dims.contains(dim)) file.fail(node, fmt::format("{}: dimension '{}' is not given", who, dim));
    task.cases.push_back(std::move(entry));
  }
  if (task.cases.empty()) file.fail(root, "cases: there is none");
}

/// Those that the task can have: where two dimensions bear on each other, one of them alone may not be long.
void add_long_cases(Task& task) {
  for (Case& entry : long_cases(task)) {
    if (std::ranges::find(task.cases, entry.name, &Case::name) != task.cases.end()) continue;
    try {
      require_values(task, entry.dims, entry.name);
      require_drawable(task, entry);
      task.cases.push_back(std::move(entry));
    } catch (const SpecError&) {
    }
  }
}

void read_waivers(const YamlFile& file, const YAML::Node& node, Task& task) {
  if (!node) return;
  if (!node.IsSequence()) file.fail(node, "waivers: must be a list");
  for (const auto& entry : node) {
    file.require_keys(entry, "waiver", {"alteration", "why"});
    Waiver waiver{file.text(file.require(entry, "waiver", "alteration"), "waiver: alteration"),
                  file.text(file.require(entry, "waiver", "why"), "waiver: why"), file.at(entry)};
    if (waiver.why.find_first_not_of(" \t\r\n") == std::string::npos)
      file.fail(entry["why"], fmt::format("waiver: say why '{}' cannot show", waiver.alteration));
    if (std::ranges::find(task.waivers, waiver.alteration, &Waiver::alteration) != task.waivers.end())
      file.fail(entry, fmt::format("waiver: '{}' is waived twice. do: keep one", waiver.alteration));
    task.waivers.push_back(std::move(waiver));
  }
}

void read_bounds(const YamlFile& file, const YAML::Node& node, Task& task) {
  if (!node) return;
  std::vector<std::string> names;
  for (const TensorSpec& output : task.model.outputs) names.push_back(output.name);
  file.require_keys(node, "bounds", names);
  for (const auto& entry : node) {
    const std::string name = file.key(entry.first);
    const std::string who = "bounds: " + name;
    file.require_keys(entry.second, who, {"factor", "why"});
    const double factor = file.number(file.require(entry.second, who, "factor"), who + ": factor");
    if (!(factor >= 1 && factor <= kLargestFactor))
      file.fail(entry.second["factor"], fmt::format("{}: factor must be 1 to {}, got {}", who, kLargestFactor, factor));
    if (file.text(file.require(entry.second, who, "why"), who + ": why").empty())
      file.fail(entry.second["why"], who + ": say why 4 times an honest kernel's error will not do");
    task.bound_factors[name] = factor;
  }
}

DimRanges read_timing_shape(const YamlFile& file, const YAML::Node& node, const std::string& who, const Task& task) {
  file.require_keys(node, who, {"dims"});
  DimRanges shape = read_dims(file, node["dims"], who, task);
  for (const std::string& dim : task.free_dims) {
    const auto range = task.dim_ranges.find(dim);
    if (!shape.contains(dim) && range != task.dim_ranges.end() && range->second.constant()) shape[dim] = range->second;
    if (!shape.contains(dim)) file.fail(node, fmt::format("{}: dimension '{}' is not given", who, dim));
  }
  return shape;
}

void read_timing(const YamlFile& file, const YAML::Node& node, Task& task) {
  file.require_keys(node, "timing", {"cpu", "gpu"});
  if (node.size() == 0) file.fail(node, "timing: names no target. do: give cpu, gpu or both a shape");
  for (const auto& target : node) {
    const std::string name = file.key(target.first);
    const std::string who = "timing: " + name;
    if (!target.second.IsSequence()) {
      task.timing[name].push_back(read_timing_shape(file, target.second, who, task));
      continue;
    }
    if (target.second.size() == 0) file.fail(target.second, who + ": names no shape");
    for (const auto& shape : target.second) task.timing[name].push_back(read_timing_shape(file, shape, who, task));
  }
}

void require_number(const YamlFile& file, const YAML::Node& model, const char* what, std::size_t got, std::size_t most) {
  if (got > most)
    file.fail(model, fmt::format("model: has {} {}, at most {}. do: pack parameters of one shape into one tensor", got, what, most));
}

/// The function of kernel.h and its parameters: a name that is taken, or twice there, does not compile.
void require_names(const YamlFile& file, const YAML::Node& model, const Task& task) {
  const auto refuse = [&](const std::string& what, const std::string& name, const std::string& why) {
    if (!why.empty()) file.fail(model, fmt::format("model: the {} '{}' is {}. do: give it another name", what, name, why));
  };
  refuse("task's name", task.name, taken_as_function(task.name));
  std::set<std::string> names;
  for (const auto* specs : {&task.model.inputs, &task.model.outputs})
    for (const TensorSpec& spec : *specs) {
      refuse("tensor", spec.name, names.insert(spec.name).second ? taken_as_parameter(spec.name) : "declared twice");
      if (!task.torch.empty() && (spec.name == "torch" || spec.name == "F")) refuse("tensor", spec.name, "PyTorch in the torch line");
    }
  for (const std::string& dim : task.dims)
    refuse("dimension", dim, names.insert(dim).second ? taken_as_parameter(dim) : "the name of a tensor, too");
}

/// The buffers of inputs that outputs are written over.
void read_in_place(const YamlFile& file, const YAML::Node& node, Task& task) {
  if (!node) return;
  file.require_keys(node, "in_place", {});
  const auto index_of = [&](const std::vector<TensorSpec>& specs, const YAML::Node& name, const char* what) {
    const auto found = std::ranges::find(specs, name.as<std::string>(), &TensorSpec::name);
    if (found == specs.end()) file.fail(name, fmt::format("in_place: the model has no {} '{}'", what, name.as<std::string>()));
    return static_cast<std::size_t>(found - specs.begin());
  };
  for (const auto& entry : node) {
    const std::size_t output = index_of(task.model.outputs, entry.first, "output"),
                      input = index_of(task.model.inputs, entry.second, "input");
    const TensorSpec &written = task.model.outputs[output], &read = task.model.inputs[input];
    if (written.type != read.type || !std::ranges::equal(written.shape, read.shape))
      file.fail(entry.first, fmt::format("in_place: '{}' has another type or shape than '{}'. do: give both the same, or leave it out",
                                         written.name, read.name));
    if (task.is_overwritten(input)) file.fail(entry.second, fmt::format("in_place: '{}' is overwritten twice", read.name));
    task.in_place[output] = input;
  }
}

TaskHarness find_harness(const TaskFile& from) {
  TaskHarness harness;
  harness.folder = harness_folder(from);
  harness.oracle = std::filesystem::exists(harness.folder / "oracle.cpp");
  harness.verify = std::filesystem::exists(harness.folder / "verify.cpp");
  harness.library = from.library;
  return harness;
}

/// What oracle.cpp gives has extents that are known before it runs.
void require_known_extents(const YamlFile& file, const YAML::Node& model, const YAML::Node& dims, const Graph& graph) {
  std::set<std::string> known;
  const auto names_of = [](const Dim& dim) {
    if (dim.derived != nullptr) return dim.derived->names;
    return dim.symbolic() ? std::vector{dim.name} : std::vector<std::string>();
  };
  for (const TensorSpec& input : graph.inputs)
    for (const Dim& dim : input.shape)
      for (const std::string& name : names_of(dim)) known.insert(name);
  for (const TensorSpec& output : graph.outputs)
    for (const Dim& dim : output.shape)
      for (const std::string& name : names_of(dim))
        if (!known.contains(name) && !(dims && dims.IsMap() && dims[name]))
          file.fail(model,
                    fmt::format("model: '{}' has the dimension {} that no input has. do: give it a range in dims", output.name, name));
}

void read_model(const YamlFile& file, const YAML::Node& root, ModelChecks checks, Task& task) {
  const std::int64_t opset = root["opset"] ? file.integer(root["opset"], "opset") : 17;
  constexpr int oldest = 13, newest = 28;  // axes and pads are inputs from 13 on; 28 is ONNX 1.21's
  if (opset < oldest || opset > newest) file.fail(root["opset"], fmt::format("opset: must be {} to {}, got {}", oldest, newest, opset));
  const YAML::Node model = file.require(root, "task.yaml", "model");
  task.model_text = file.text(model, "model");
  const auto [line, indent] = file.block_place(model);
  const bool by_oracle = is_signature(task.model_text);
  if (by_oracle && !task.harness.oracle)
    file.fail(model, fmt::format("model: has no body. do: write one, or {}", (task.harness.folder / "oracle.cpp").string()));
  if (!by_oracle && task.harness.oracle)
    file.fail(model, fmt::format("model: has a body, and {} stands in its place. do: keep one of them",
                                 (task.harness.folder / "oracle.cpp").string()));
  task.model = parse_model(by_oracle ? with_oracle_body(task.model_text) : task.model_text, static_cast<int>(opset),
                           {file.path(), line, indent}, checks, read_compute(file, root["compute"]));
  if (by_oracle) connect_oracle(task.model, task.harness.library.string());
  if (task.model.name != task.name)
    file.fail(model, fmt::format("model: the graph is named '{}', the task '{}'. do: give both one name", task.model.name, task.name));
  if (task.model.inputs.empty() || task.model.outputs.empty()) file.fail(model, "model: needs an input and an output");
  if (by_oracle) require_known_extents(file, model, root["dims"], task.model);
  list_dims(file, model, root["dims"], task);
  require_number(file, model, "inputs and outputs", task.model.inputs.size() + task.model.outputs.size(), kMostTensors);
  require_number(file, model, "dimensions", task.dims.size(), kMostDims);
  require_names(file, model, task);
  read_in_place(file, root["in_place"], task);
  require_computable(file, root, task);
}

/// The usual cases are made of these.
void require_values_of_ranges(const YAML::Node& root, const Task& task) {
  if (!root["replace_cases"]) require_values(task, task.dim_ranges, "dims");
  for (const auto& [target, shapes] : task.timing)
    for (const DimRanges& shape : shapes) require_values(task, shape, "timing: " + target);
}

Task read_task(const YamlFile& file, const TaskFile& from, ModelChecks checks) {
  const YAML::Node& root = file.root();
  file.require_keys(root, "task.yaml", task_keys());
  Task task;
  const std::filesystem::path folder = std::filesystem::absolute(from.file).lexically_normal().parent_path();
  task.name = from.member.empty() ? folder.filename().string() : from.member;
  task.category = (from.member.empty() ? folder.parent_path() : folder).filename().string();
  task.summary = file.text(file.require(root, "task.yaml", "summary"), "summary");
  if (task.summary.find_first_of("\r\n") != std::string::npos)
    file.fail(root["summary"], "summary: must be one line, which kernel.h has as a comment");
  const std::int64_t difficulty = file.integer(file.require(root, "task.yaml", "difficulty"), "difficulty");
  if (difficulty < 1 || difficulty > 5) file.fail(root["difficulty"], fmt::format("difficulty: must be 1 to 5, got {}", difficulty));
  task.difficulty = static_cast<int>(difficulty);
  task.suites = read_suite_rows(file, file.root()["suites"]);
  if (root["degenerate"]) {
    task.degenerate = file.text(root["degenerate"], "degenerate");
    if (task.degenerate.empty()) file.fail(root["degenerate"], "degenerate: say why the task cannot be admitted");
  }
  if (root["torch"]) task.torch = file.text(root["torch"], "torch");
  task.harness = find_harness(from);
  read_model(file, root, checks, task);
  task.dim_ranges = read_dims(file, root["dims"], "dims", task);
  task.inputs = read_inputs(file, root["inputs"], "inputs", task);
  for (const TensorSpec& input : task.model.inputs)
    if (!task.inputs.contains(input.name)) task.inputs[input.name] = default_init(input.type);
  read_timing(file, file.require(root, "task.yaml", "timing"), task);
  if (checks == ModelChecks::all) require_values_of_ranges(root, task);
  read_cases(file, root, task);  // some are as large as the timing shapes
  if (!root["replace_cases"]) add_long_cases(task);
  read_bounds(file, root["bounds"], task);
  read_waivers(file, root["waivers"], task);
  if (checks == ModelChecks::all)
    for (const Case& entry : task.cases) require_values(task, entry.dims, "case '" + entry.name + "'");
  require_countable(file, task);
  require_drawable(task);
  return task;
}

Task parse(const std::string& text, const TaskFile& from, ModelChecks checks) {
  YamlFile file(from.file.string(), text);
  try {
    if (is_family(file) || !from.member.empty()) become_member(file, from.member, task_keys());
    Task task = read_task(file, from, checks);
    file.require_used_variables();
    return task;
  } catch (const YAML::Exception& error) {  // what was asked of a node that is something else
    throw SpecError({file.path(), error.mark.line + 1, error.mark.column + 1}, error.msg);
  }
}

std::string text_of(const std::filesystem::path& task_yaml) {
  std::ifstream in(task_yaml);
  if (!in) throw SpecError({task_yaml.string(), 0, 0}, "cannot be read. do: check that the file exists");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

const std::vector<std::string>& task_keys() {
  static const std::vector<std::string> keys = {"summary",       "difficulty", "suites",   "degenerate", "opset",  "model",
                                                "compute",       "torch",      "in_place", "dims",       "inputs", "cases",
                                                "replace_cases", "waivers",    "bounds",   "timing"};
  return keys;
}

TaskFile::TaskFile(const std::filesystem::path& path) : file(path) {
  const std::string name = path.filename().string();
  const std::size_t mark = name.rfind('#');
  if (mark == std::string::npos || !is_name(std::string_view(name).substr(mark + 1))) return;
  file = path.parent_path() / name.substr(0, mark);
  member = name.substr(mark + 1);
}

std::filesystem::path harness_folder(const TaskFile& from) {
  return std::filesystem::absolute(from.file).lexically_normal().parent_path() / from.member / "harness";
}

Task load_task(const TaskFile& from) { return parse_task(text_of(from.file), from); }

Task load_checked_task(const TaskFile& from) { return parse(text_of(from.file), from, ModelChecks::names); }

Task parse_task(const std::string& text, const TaskFile& from) { return parse(text, from, ModelChecks::all); }

std::vector<Shape> concrete_shapes(const std::vector<TensorSpec>& specs, const Dims& dims) {
  std::vector<Shape> shapes;
  for (const TensorSpec& spec : specs) {
    Shape shape;
    for (const Dim& dim : spec.shape) shape.push_back(extent_of(dim, dims));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

std::string own_text(const TaskFile& from) {
  std::string text = text_of(from.file);
  if (!from.member.empty()) {
    YamlFile file(from.file.string(), text);
    become_member(file, from.member, task_keys());
    text = file.dump();
  }
  const TaskHarness harness = find_harness(from);
  if (harness.oracle) text += text_of(harness.folder / "oracle.cpp");
  if (harness.verify) text += text_of(harness.folder / "verify.cpp");
  return text;
}

}  // namespace assay::spec
