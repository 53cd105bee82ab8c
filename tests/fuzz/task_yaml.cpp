// SPDX-License-Identifier: Apache-2.0
// task.yaml with its model, cases and inits: a task that works, or a SpecError that says where.
#include "assay/spec/task.h"
#include "property.h"

namespace assay::task_yaml_target {
namespace {

/// A task lies in a folder of its graph's name; the fuzzer has no folders.
std::string name_in(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  const std::size_t model = text.find("model:");
  if (model == std::string_view::npos) return "task";
  const std::size_t begin = text.find_first_of(kLetters, std::min(text.find('\n', model), text.size()));
  if (begin == std::string_view::npos) return "task";
  return std::string(text.substr(begin, text.find_first_not_of(kLetters, begin) - begin));
}

void check_dims(const spec::Task& task, const std::map<std::string, spec::DimRange>& dims) {
  for (const auto& [name, range] : dims)
    require(range.low >= 1 && range.high >= range.low && range.step >= 1, "a range is not empty", name);
  for (const std::string& dim : task.free_dims) require(dims.contains(dim), "a case binds every dimension", dim);
}

void check_header(const spec::Task& task) {
  const std::string header = spec::kernel_header(task);
  require(header.find(spec::kernel_signature(task)) != std::string::npos, "kernel.h declares the function", header);
  require(spec::kernel_stub(task).find(task.name + "(") != std::string::npos, "the stub calls the function", header);
  const std::size_t summary = header.find("/// " + task.summary + "\n");
  require(summary != std::string::npos && task.summary.find_first_of("\r\n") == std::string::npos, "the summary is one comment", header);
}

void check(const spec::Task& task) {
  require(task.difficulty >= 1 && task.difficulty <= 5, "a difficulty is 1 to 5");
  require(!task.model.inputs.empty() && !task.model.outputs.empty(), "a task has inputs and outputs");
  require(!task.cases.empty(), "a task has a case");
  for (const spec::TensorSpec& input : task.model.inputs) require(task.inputs.contains(input.name), "an input is drawn somehow");
  for (const spec::Case& entry : task.cases) check_dims(task, entry.dims);
  for (const auto& [target, shapes] : task.timing) {
    require(!shapes.empty(), "a target has a shape", target);
    for (const spec::DimRanges& dims : shapes) check_dims(task, dims);
  }
  check_header(task);
}

}  // namespace

FUZZ_TARGET(task_yaml) {
  const std::string text(assay::text_of(data, size));
  const std::string file = "/tasks/math/" + name_in(text) + "/task.yaml";
  assay::accepts<assay::spec::SpecError>(file, [&] { check(assay::spec::parse_task(text, file)); });
  return 0;
}

}  // namespace assay::task_yaml_target
