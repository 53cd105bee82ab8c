// SPDX-License-Identifier: Apache-2.0
// assay-baseline <task.yaml>: what speedup is measured against. A box whose kernel interprets the task's model operator
// by operator in float32 with Eigen, as an eager framework would.
#include <cstdio>
#include <exception>

#include "assay/box/worker.h"
#include "assay/oracle/evaluate.h"
#include "assay/spec/task.h"

namespace {

using assay::Value;

Value<float> view(const assay::TensorSpec& spec, const assay::Shape& shape, void* data) {
  switch (spec.type) {
    case assay::ElementType::f32: return {spec.type, assay::Tensor<float>(shape, static_cast<float*>(data))};
    case assay::ElementType::i64: return {spec.type, assay::Integers(shape, static_cast<std::int64_t*>(data))};
    case assay::ElementType::boolean: return {spec.type, assay::Booleans(shape, static_cast<std::uint8_t*>(data))};
    default: break;
  }
  throw std::invalid_argument("baseline: inputs of type " + std::string(assay::info(spec.type).onnx_name) +
                              " are not supported");
}

template <class From, class To>
void store(const assay::Tensor<From>& from, void* to) {
  auto* out = static_cast<To*>(to);
  if (static_cast<const void*>(from.data()) == to) return;  // evaluated in place
  for (std::size_t i = 0; i < from.size(); ++i) out[i] = static_cast<To>(from[i]);
}

void store(const assay::TensorSpec& spec, const Value<float>& value, void* to) {
  switch (spec.type) {
    case assay::ElementType::f32: return store<float, float>(std::get<assay::Tensor<float>>(value.elements), to);
    case assay::ElementType::i64: return store<std::int64_t, std::int64_t>(std::get<assay::Integers>(value.elements), to);
    case assay::ElementType::i32: return store<std::int64_t, std::int32_t>(std::get<assay::Integers>(value.elements), to);
    case assay::ElementType::boolean: return store<std::uint8_t, std::uint8_t>(std::get<assay::Booleans>(value.elements), to);
    default: break;
  }
  throw std::invalid_argument("baseline: outputs of type " + std::string(assay::info(spec.type).onnx_name) +
                              " are not supported");
}

void run(const assay::Task& task, void* const* tensors, const std::int64_t* dims) {
  std::map<std::string, std::int64_t> bound;
  for (std::size_t i = 0; i < task.dims.size(); ++i) bound[task.dims[i]] = dims[i];
  const auto& inputs = task.model.inputs;
  const auto& outputs = task.model.outputs;
  const auto shapes = assay::concrete_shapes(inputs, bound);
  std::vector<Value<float>> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) values.push_back(view(inputs[i], shapes[i], tensors[i]));
  std::vector<float*> placements;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    placements.push_back(outputs[i].type == assay::ElementType::f32 ? static_cast<float*>(tensors[inputs.size() + i]) : nullptr);
  const auto results = assay::evaluate<float>(task.model, values, nullptr, placements);
  for (std::size_t i = 0; i < outputs.size(); ++i) store(outputs[i], results[i], tensors[inputs.size() + i]);
}

}  // namespace

int main(int argc, char** argv) {
  assay::Worker worker;
  if (argc != 2) worker.fail_to_load("usage: assay-baseline <task.yaml>");
  try {
    const assay::Task task = assay::load_task(argv[1]);
    worker.serve([&](void* const* tensors, const std::int64_t* dims) { run(task, tensors, dims); });
  } catch (const std::exception& error) {
    worker.fail_to_load(error.what());
  }
}
