// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "assay/spec/task.h"

namespace assay {
namespace {

std::string shape_text(const TensorSpec& spec) {
  std::vector<std::string> extents;
  for (const Dim& dim : spec.shape) extents.push_back(dim.symbolic() ? dim.name : std::to_string(dim.value));
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

std::vector<std::string> parameters(const Task& task) {
  std::vector<std::string> list;
  for (const TensorSpec& input : task.model.inputs) list.push_back(fmt::format("const {}* {}", info(input.type).c_name, input.name));
  for (const TensorSpec& output : task.model.outputs) list.push_back(fmt::format("{}* {}", info(output.type).c_name, output.name));
  for (const std::string& dim : task.dims) list.push_back("int64_t " + dim);
  return list;
}

std::string comment(const Task& task) {
  std::string text = "/// " + task.summary + "\n";
  for (const TensorSpec& input : task.model.inputs)
    text += fmt::format("/// in  {}: {} {}, row-major\n", input.name, info(input.type).onnx_name, shape_text(input));
  for (const TensorSpec& output : task.model.outputs)
    text += fmt::format("/// out {}: {} {}, row-major\n", output.name, info(output.type).onnx_name, shape_text(output));
  return text;
}

}  // namespace

std::string kernel_signature(const Task& task) { return fmt::format("void {}({});", task.name, fmt::join(parameters(task), ", ")); }

std::string kernel_header(const Task& task) {
  return fmt::format(R"(// The interface of task '{0}'. A candidate defines the function below and nothing else is called.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

{1}{2}

#ifdef __cplusplus
}}
#endif
)",
                     task.name, comment(task), kernel_signature(task));
}

std::string kernel_stub(const Task& task) {
  std::vector<std::string> arguments;
  std::size_t tensor = 0;
  for (const TensorSpec& input : task.model.inputs)
    arguments.push_back(fmt::format("(const {}*)tensors[{}]", info(input.type).c_name, tensor++));
  for (const TensorSpec& output : task.model.outputs)
    arguments.push_back(fmt::format("({}*)tensors[{}]", info(output.type).c_name, tensor++));
  for (std::size_t i = 0; i < task.dims.size(); ++i) arguments.push_back(fmt::format("dims[{}]", i));
  return fmt::format(R"(#include "kernel.h"

#ifdef __cplusplus
extern "C"
#endif
void assay_call(void* const* tensors, const int64_t* dims) {{
  (void)dims;
  {}({});
}}
)",
                     task.name, fmt::join(arguments, ", "));
}

}  // namespace assay
