// SPDX-License-Identifier: Apache-2.0
// task.yaml to Task: fields in the order of the file's documentation, each checked as it is read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "assay/spec/cases.h"
#include "assay/spec/countable.h"
#include "assay/spec/name.h"
#include "assay/spec/task.h"
#include "family.h"
#include "model_text.h"
#include "reserved_names.h"
#include "suite_rows.h"
#include "task_keys.h"
#include "yaml_reader.h"

namespace assay {
namespace {

/// Far above what any machine holds, and far below where sums and products of a few extents overflow.
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 40;

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
    const auto name = entry.first.as<std::string>();
    if (std::ranges::find(task.free_dims, name) == task.free_dims.end())
      file.fail(entry.first, fmt::format("{}: '{}' is not a dimension of an input. known: {}", who, name, fmt::join(task.free_dims, " ")));
    dims[name] = read_range(file, entry.second, who + ": " + name);
  }
  return dims;
}

const std::map<std::string, std::vector<std::string>>& init_parameters() {
  static const std::map<std::string, std::vector<std::string>> kinds = {{"normal", {"mean", "std"}},
                                                                        {"uniform", {"low", "high"}},
                                                                        {"integer", {"low", "high"}},
                                                                        {"bernoulli", {"p"}},
                                                                        {"kaiming", {"fan_in"}},
                                                                        {"constant", {"value"}},
                                                                        {"index", {}},
                                                                        {"probability", {}},
                                                                        {"mixed", {}},
                                                                        {"log_uniform", {"low", "high"}},
                                                                        {"large", {"low", "high"}},
                                                                        {"subnormal", {"low", "high"}},
                                                                        {"cancellation", {}},
                                                                        {"ties", {}},
                                                                        {"sorted", {}},
                                                                        {"reversed", {}},
                                                                        {"spikes", {}},
                                                                        {"extremes", {}},
                                                                        {"special", {}},
                                                                        {"special_finite", {}},
                                                                        {"zeros", {}},
                                                                        {"ones", {}}};
  return kinds;
}

InputInit read_init(const YamlFile& file, const YAML::Node& node, const std::string& who, const Task& task) {
  InputInit init;
  if (node.IsScalar()) {
    init.kind = file.text(node, who);
  } else {
    std::vector<std::string> known = {"init", "role", "of", "distinct"};
    for (const auto& [kind, parameters] : init_parameters()) known.insert(known.end(), parameters.begin(), parameters.end());
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    file.require_keys(node, who, known);
    init.kind = file.text(file.require(node, who, "init"), who + ": init");
    if (node["role"]) init.role = file.text(node["role"], who + ": role");
    if (node["of"]) init.of = file.text(node["of"], who + ": of");
    if (node["distinct"]) init.distinct = file.flag(node["distinct"], who + ": distinct");
  }
  const auto kind = init_parameters().find(init.kind);
  if (kind == init_parameters().end()) {
    std::vector<std::string> kinds;
    for (const auto& [name, parameters] : init_parameters()) kinds.push_back(name);
    file.fail(node, fmt::format("{}: unknown init '{}'. known: {}", who, init.kind, fmt::join(kinds, " ")));
  }
  if (node.IsMap())
    for (const auto& entry : node) {
      const auto key = entry.first.as<std::string>();
      if (key == "init" || key == "role" || key == "of" || key == "distinct") continue;
      if (std::ranges::find(kind->second, key) == kind->second.end())
        file.fail(entry.first, fmt::format("{}: init '{}' has no parameter '{}'", who, init.kind, key));
      // fan_in may name a dimension; it is resolved when a case binds it.
      if (key == "fan_in" && std::ranges::find(task.dims, file.text(entry.second, who + ": fan_in")) != task.dims.end())
        init.of = entry.second.as<std::string>();
      else init.numbers[key] = file.number(entry.second, who + ": " + key);
    }
  if (init.kind == "index") {
    const bool number = !init.of.empty() && std::ranges::all_of(init.of, [](char c) { return c >= '0' && c <= '9'; });
    if (!number && std::ranges::find(task.dims, init.of) == task.dims.end())
      file.fail(node,
                fmt::format("{}: 'of' must be a dimension or a number, got '{}'. known: {}", who, init.of, fmt::join(task.dims, " ")));
  }
  return init;
}

std::map<std::string, InputInit> read_inputs(const YamlFile& file, const YAML::Node& node, const std::string& who, const Task& task) {
  std::map<std::string, InputInit> inputs;
  if (!node) return inputs;
  std::vector<std::string> names;
  for (const TensorSpec& input : task.model.inputs) names.push_back(input.name);
  file.require_keys(node, who, names);
  for (const auto& entry : node) {
    const auto name = entry.first.as<std::string>();
    inputs[name] = read_init(file, entry.second, who + ": " + name, task);
  }
  return inputs;
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
    const auto name = entry.first.as<std::string>();
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
    const auto name = target.first.as<std::string>();
    const std::string who = "timing: " + name;
    if (!target.second.IsSequence()) {
      task.timing[name].push_back(read_timing_shape(file, target.second, who, task));
      continue;
    }
    if (target.second.size() == 0) file.fail(target.second, who + ": names no shape");
    for (const auto& shape : target.second) task.timing[name].push_back(read_timing_shape(file, shape, who, task));
  }
}

void list_dims(Task& task) {
  const auto add = [](std::vector<std::string>& list, const std::vector<TensorSpec>& specs) {
    for (const TensorSpec& spec : specs)
      for (const Dim& dim : spec.shape)
        if (dim.symbolic() && std::ranges::find(list, dim.name) == list.end()) list.push_back(dim.name);
  };
  add(task.free_dims, task.model.inputs);
  add(task.dims, task.model.inputs);
  add(task.dims, task.model.outputs);
}

void require_extent(const YamlFile& file, const YAML::Node& model, const TensorSpec& spec, const Dim& dim) {
  if (dim.name == "?") file.fail(model, fmt::format("model: '{}' has an unnamed dimension. do: name it", spec.name));
  if (!dim.symbolic() && (dim.value < 0 || dim.value > kLargestExtent))
    file.fail(model, fmt::format("model: '{}' has the extent {}, must be 0 to {}", spec.name, dim.value, kLargestExtent));
}

/// Of every input at the largest extents that a case or a timing may draw: what does not fit 64 bits fits no machine.
void require_countable(const YamlFile& file, const Task& task) {
  const auto check = [&](const std::string& who, const DimRanges& dims) {
    std::map<std::string, std::int64_t> largest;
    for (const auto& [name, range] : dims) largest[name] = range.high;
    const auto shapes = concrete_shapes(task.model.inputs, largest);
    for (std::size_t i = 0; i < shapes.size(); ++i)
      if (!is_countable(shapes[i]))
        file.fail(file.root(), fmt::format("{}: no machine holds '{}' of shape {}", who, task.model.inputs[i].name, to_string(shapes[i])));
  };
  for (const Case& entry : task.cases) check("case '" + entry.name + "'", entry.dims);
  for (const auto& [target, shapes] : task.timing)
    for (const DimRanges& dims : shapes) check("timing: " + target, dims);
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

void read_model(const YamlFile& file, const YAML::Node& root, ModelChecks checks, Task& task) {
  const std::int64_t opset = root["opset"] ? file.integer(root["opset"], "opset") : 17;
  constexpr int oldest = 13, newest = 28;  // axes and pads are inputs from 13 on; 28 is ONNX 1.21's
  if (opset < oldest || opset > newest) file.fail(root["opset"], fmt::format("opset: must be {} to {}, got {}", oldest, newest, opset));
  const YAML::Node model = file.require(root, "task.yaml", "model");
  task.model_text = file.text(model, "model");
  const auto [line, indent] = file.block_place(model);
  task.model = parse_model(task.model_text, static_cast<int>(opset), {file.path(), line, indent}, checks);
  if (task.model.name != task.name)
    file.fail(model, fmt::format("model: the graph is named '{}', the task '{}'. do: give both one name", task.model.name, task.name));
  for (const auto* specs : {&task.model.inputs, &task.model.outputs})
    for (const TensorSpec& spec : *specs)
      for (const Dim& dim : spec.shape) require_extent(file, model, spec, dim);
  if (task.model.inputs.empty() || task.model.outputs.empty()) file.fail(model, "model: needs an input and an output");
  list_dims(task);
  require_number(file, model, "inputs and outputs", task.model.inputs.size() + task.model.outputs.size(), kMostTensors);
  require_number(file, model, "dimensions", task.dims.size(), kMostDims);
  require_names(file, model, task);
  read_in_place(file, root["in_place"], task);
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
  read_model(file, root, checks, task);
  task.dim_ranges = read_dims(file, root["dims"], "dims", task);
  task.inputs = read_inputs(file, root["inputs"], "inputs", task);
  for (const TensorSpec& input : task.model.inputs)
    if (!task.inputs.contains(input.name)) task.inputs[input.name] = default_init(input.type);
  read_timing(file, file.require(root, "task.yaml", "timing"), task);
  read_cases(file, root, task);  // some are as large as the timing shapes
  read_bounds(file, root["bounds"], task);
  read_waivers(file, root["waivers"], task);
  require_countable(file, task);
  return task;
}

Task parse(const std::string& text, const TaskFile& from, ModelChecks checks) {
  YamlFile file(from.file.string(), text);
  try {
    if (is_family(file) || !from.member.empty()) become_member(file, from.member, task_keys());
    Task task = read_task(file, from, checks);
    file.require_used_variables();
    return task;
  } catch (const YAML::Exception& error) {  // a key that is a list, where a name is read
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
  static const std::vector<std::string> keys = {"summary", "difficulty",    "suites",   "degenerate", "opset",
                                                "model",   "torch",         "in_place", "dims",       "inputs",
                                                "cases",   "replace_cases", "waivers",  "bounds",     "timing"};
  return keys;
}

TaskFile::TaskFile(const std::filesystem::path& path) : file(path) {
  const std::string name = path.filename().string();
  const std::size_t mark = name.rfind('#');
  if (mark == std::string::npos || !is_name(std::string_view(name).substr(mark + 1))) return;
  file = path.parent_path() / name.substr(0, mark);
  member = name.substr(mark + 1);
}

Task load_task(const TaskFile& from) { return parse_task(text_of(from.file), from); }

Task load_checked_task(const TaskFile& from) { return parse(text_of(from.file), from, ModelChecks::names); }

Task parse_task(const std::string& text, const TaskFile& from) { return parse(text, from, ModelChecks::all); }

std::vector<Shape> concrete_shapes(const std::vector<TensorSpec>& specs, const std::map<std::string, std::int64_t>& dims) {
  std::vector<Shape> shapes;
  for (const TensorSpec& spec : specs) {
    Shape shape;
    for (const Dim& dim : spec.shape) shape.push_back(dim.symbolic() ? dims.at(dim.name) : dim.value);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

std::string own_text(const TaskFile& from) {
  const std::string text = text_of(from.file);
  if (from.member.empty()) return text;
  YamlFile file(from.file.string(), text);
  become_member(file, from.member, task_keys());
  return file.dump();
}

}  // namespace assay
