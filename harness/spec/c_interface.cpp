// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "assay/spec/task.h"

namespace assay {
namespace {

std::string shape_text(const TensorSpec& spec) {
  std::vector<std::string> extents;
  for (const Dim& dim : spec.shape) extents.push_back(dim.symbolic() ? dim.name : std::to_string(dim.value));
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

std::vector<std::string> parameters(const Task& task, const KernelTypes& types) {
  std::vector<std::string> list;
  for (const TensorSpec& input : task.model.inputs) list.push_back(fmt::format("const {}* {}", info(input.type).c_name, input.name));
  for (const TensorSpec& output : task.model.outputs) list.push_back(fmt::format("{}* {}", info(output.type).c_name, output.name));
  for (const std::string& dim : task.dims) list.push_back("int64_t " + dim);
  if (!types.stream.empty()) list.push_back(types.stream + " stream");
  return list;
}

/// A bfloat16 is the upper half of a float.
constexpr std::string_view kBfloat16 = R"(#ifdef __cplusplus
/* The compiler has no bfloat16: this one is stored as such, rounded to nearest even, and computed with as float. */
struct bfloat16 {
  uint16_t bits;
  bfloat16() = default;
  bfloat16(float value) {
    uint32_t word;
    __builtin_memcpy(&word, &value, 4);
    bits = (uint16_t)(value != value ? (word >> 16) | 0x40 : (word + 0x7fff + ((word >> 16) & 1)) >> 16);
  }
  operator float() const {
    uint32_t word = (uint32_t)bits << 16;
    float value;
    __builtin_memcpy(&value, &word, 4);
    return value;
  }
};
#else
typedef uint16_t bfloat16; /* its bits */
#endif
)";

/// What the 16-bit types of the task's tensors are called on the backend.
std::string type_definitions(const Task& task, const KernelTypes& types) {
  std::string text;
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    const auto has_type = [type](const TensorSpec& tensor) { return tensor.type == type; };
    if (std::ranges::none_of(task.model.inputs, has_type) && std::ranges::none_of(task.model.outputs, has_type)) continue;
    const std::string name(info(type).onnx_name);
    if (const auto own = types.names.find(name); own != types.names.end()) text += fmt::format("typedef {} {};\n", own->second, name);
    else if (type == ElementType::bf16) text += kBfloat16;
    else text += fmt::format("typedef uint16_t {}; /* its bits, as IEEE 754 binary16 */\n", name);
  }
  return text.empty() ? text : text + "\n";
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

std::string kernel_signature(const Task& task, const KernelTypes& types) {
  return fmt::format("void {}({});", task.name, fmt::join(parameters(task, types), ", "));
}

std::string kernel_header(const Task& task, const KernelTypes& types) {
  std::string includes;
  for (const std::string& header : types.headers) includes += fmt::format("#include <{}>\n", header);
  return fmt::format(R"(// The interface of task '{0}'. A candidate defines the function below and nothing else is called.
#pragma once

#include <stdbool.h>
#include <stdint.h>
{1}
{2}#ifdef __cplusplus
extern "C" {{
#endif

{3}{4}

#ifdef __cplusplus
}}
#endif
)",
                     task.name, includes, type_definitions(task, types), comment(task), kernel_signature(task, types));
}

std::string kernel_stub(const Task& task, const KernelTypes& types) {
  std::vector<std::string> arguments;
  std::size_t tensor = 0;
  for (const TensorSpec& input : task.model.inputs)
    arguments.push_back(fmt::format("(const {}*)tensors[{}]", info(input.type).c_name, tensor++));
  for (const TensorSpec& output : task.model.outputs)
    arguments.push_back(fmt::format("({}*)tensors[{}]", info(output.type).c_name, tensor++));
  for (std::size_t i = 0; i < task.dims.size(); ++i) arguments.push_back(fmt::format("dims[{}]", i));
  if (!types.stream.empty()) arguments.push_back(fmt::format("({})stream", types.stream));
  return fmt::format(R"(#include "kernel.h"

#ifdef __cplusplus
extern "C"
#endif
void assay_call(void* const* tensors, const int64_t* dims, void* stream) {{
  (void)dims;
  (void)stream;
  {}({});
}}
)",
                     task.name, fmt::join(arguments, ", "));
}

}  // namespace assay
