// SPDX-License-Identifier: Apache-2.0
// assay-baseline <task.yaml> [<library>]: what speedup is measured against. A box whose kernel interprets the task's model operator
// by operator in float32 (float64 where the task has doubles) with Eigen, as an eager framework would.
#include <algorithm>
#include <cstdio>
#include <exception>

#include "assay/box/worker.h"
#include "assay/oracle/evaluate.h"
#include "assay/oracle/storage.h"
#include "assay/spec/task.h"

namespace {

template <class T>
void run(const assay::Task& task, void* const* tensors, const std::int64_t* dims) {
  assay::Dims bound;
  for (std::size_t i = 0; i < task.dims.size(); ++i) bound[task.dims[i]] = dims[i];
  const auto& inputs = task.model.inputs;
  const auto& outputs = task.model.outputs;
  const auto shapes = assay::concrete_shapes(inputs, bound);
  std::vector<assay::Value<T>> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) values.push_back(assay::load_value<T>(inputs[i].type, shapes[i], tensors[i]));
  constexpr auto kOwn = std::is_same_v<T, float> ? assay::ElementType::f32 : assay::ElementType::f64;
  std::vector<T*> placements;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    placements.push_back(outputs[i].type == kOwn ? static_cast<T*>(tensors[inputs.size() + i]) : nullptr);
  const auto results = assay::evaluate<T>(task.model, bound, values, nullptr, placements);
  for (std::size_t i = 0; i < outputs.size(); ++i) store_value(results[i], outputs[i].type, tensors[inputs.size() + i]);
}

bool is_double(const assay::TensorSpec& spec) { return spec.type == assay::ElementType::f64; }

}  // namespace

int main(int argc, char** argv) {
  assay::Worker worker;
  if (argc != 2 && argc != 3) worker.fail_to_load("usage: assay-baseline <task.yaml> [<library of its harness/>]");
  try {
    assay::TaskFile from(argv[1]);
    if (argc == 3) from.library = argv[2];
    const assay::Task task = assay::load_checked_task(from);
    const bool in_double = std::ranges::any_of(task.model.inputs, is_double) || std::ranges::any_of(task.model.outputs, is_double);
    const auto kernel = in_double ? run<double> : run<float>;
    worker.serve([&](const assay::KernelCall& call) {
      kernel(task, call.tensors, call.dims);
      return std::uint64_t{0};
    });
  } catch (const std::exception& error) {
    worker.fail_to_load(error.what());
  }
}
