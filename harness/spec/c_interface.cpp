// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "assay/spec/float8.h"
#include "assay/spec/launch.h"
#include "assay/spec/task.h"
#include "float8_class.h"

namespace assay::spec {
namespace {

std::string shape_text(const TensorSpec& spec) {
  std::vector<std::string> extents;
  for (const Dim& dim : spec.shape) extents.push_back(dim.symbolic() ? dim.name : std::to_string(dim.value));
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

struct Parameter {
  const TensorSpec* spec;
  std::size_t buffer;  ///< of inputs, then outputs
  bool is_written;
  const TensorSpec* replaced_by;  ///< the output that takes this input's buffer; else null
};

/// The inputs, then the outputs that have a buffer of their own.
std::vector<Parameter> tensor_parameters(const Task& task) {
  std::vector<Parameter> list;
  const auto& inputs = task.model.inputs;
  const auto& outputs = task.model.outputs;
  for (const TensorSpec& input : inputs) list.push_back({&input, list.size(), false, nullptr});
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (const std::size_t buffer = inputs.size() + i; task.has_own_buffer(i)) list.push_back({&outputs[i], buffer, true, nullptr});
    else list[task.in_place.at(i)] = {&inputs[task.in_place.at(i)], buffer, true, &outputs[i]};
  return list;
}

std::vector<std::string> parameters(const Task& task, const KernelTypes& types) {
  std::vector<std::string> list;
  for (const Parameter& tensor : tensor_parameters(task))
    list.push_back(fmt::format("{}{}* {}", tensor.is_written ? "" : "const ", info(tensor.spec->type).c_name, tensor.spec->name));
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

/// What the short real types of the task's tensors are called on the backend.
std::string type_definitions(const Task& task, const KernelTypes& types) {
  std::string text;
  for (const ElementType type : {ElementType::f16, ElementType::bf16, ElementType::f8e4m3, ElementType::f8e5m2}) {
    const auto has_type = [type](const TensorSpec& tensor) { return tensor.type == type; };
    if (std::ranges::none_of(task.model.inputs, has_type) && std::ranges::none_of(task.model.outputs, has_type)) continue;
    const std::string name(info(type).c_name);
    if (const auto own = types.names.find(name); own != types.names.end()) text += fmt::format("typedef {} {};\n", own->second, name);
    else if (type == ElementType::bf16) text += kBfloat16;
    else if (is_float8(type)) text += float8_definition(type);
    else text += fmt::format("typedef uint16_t {}; /* its bits, as IEEE 754 binary16 */\n", name);
  }
  return text.empty() ? text : text + "\n";
}

std::string includes_of(const KernelTypes& types) {
  std::string text;
  for (const std::string& header : types.headers) text += fmt::format("#include <{}>\n", header);
  return text;
}

std::string comment(const Task& task) {
  std::string text = "/// " + task.summary + "\n";
  for (const Parameter& tensor : tensor_parameters(task)) {
    const TensorSpec& spec = *tensor.spec;
    const char* direction = tensor.replaced_by != nullptr ? "in, out" : tensor.is_written ? "out" : "in ";
    text += fmt::format("/// {} {}: {} {}, row-major", direction, spec.name, info(spec.type).onnx_name, shape_text(spec));
    text += tensor.replaced_by != nullptr ? fmt::format("; {} is written over it\n", tensor.replaced_by->name) : "\n";
  }
  if (task.model.compute)
    text += fmt::format("/// The result of each operator is rounded to {}, nearest even; a kernel may keep float32 where it likes.\n",
                        info(*task.model.compute).onnx_name);
  return text;
}

}  // namespace

std::string kernel_signature(const Task& task, const KernelTypes& types) {
  return fmt::format("void {}({});", task.name, fmt::join(parameters(task, types), ", "));
}

std::string kernel_header(const Task& task, const KernelTypes& types) {
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
                     task.name, includes_of(types), type_definitions(task, types), comment(task), kernel_signature(task, types));
}

std::string launch_header(const Task& task, const KernelTypes& types) {
  return fmt::format(R"(// The interface of task '{}': its launch block gives a candidate's kernels these tensors and dimensions.
#pragma once

#include <stdbool.h>
#include <stdint.h>
{}
{}{}// {}
)",
                     task.name, includes_of(types), type_definitions(task, types), comment(task), kernel_signature(task, types));
}

std::string kernel_stub(const Task& task, const KernelTypes& types) {
  std::vector<std::string> arguments;
  for (const Parameter& tensor : tensor_parameters(task))
    arguments.push_back(
        fmt::format("({}{}*)tensors[{}]", tensor.is_written ? "" : "const ", info(tensor.spec->type).c_name, tensor.buffer));
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

}  // namespace assay::spec
