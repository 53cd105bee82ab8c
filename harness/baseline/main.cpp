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

namespace assay::baseline {
namespace {

template <class T>
void run(const spec::Task& task, void* const* tensors, const std::int64_t* dims) {
  spec::Dims bound;
  for (std::size_t i = 0; i < task.dims.size(); ++i) bound[task.dims[i]] = dims[i];
  const auto& inputs = task.model.inputs;
  const auto& outputs = task.model.outputs;
  const auto shapes = spec::concrete_shapes(inputs, bound);
  std::vector<oracle::Value<T>> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) values.push_back(oracle::load_value<T>(inputs[i].type, shapes[i], tensors[i]));
  constexpr auto kOwn = std::is_same_v<T, float> ? spec::ElementType::f32 : spec::ElementType::f64;
  std::vector<T*> placements;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    placements.push_back(outputs[i].type == kOwn ? static_cast<T*>(tensors[inputs.size() + i]) : nullptr);
  const auto results = oracle::evaluate<T>(task.model, bound, values, nullptr, placements);
  for (std::size_t i = 0; i < outputs.size(); ++i) oracle::store_value(results[i], outputs[i].type, tensors[inputs.size() + i]);
}

bool is_double(const spec::TensorSpec& spec) { return spec.type == spec::ElementType::f64; }

void serve(box::Worker& worker, const spec::TaskFile& from) {
  const spec::Task task = spec::load_checked_task(from);
  const bool in_double = std::ranges::any_of(task.model.inputs, is_double) || std::ranges::any_of(task.model.outputs, is_double);
  const auto kernel = in_double ? run<double> : run<float>;
  worker.serve([&](const box::KernelCall& call) {
    kernel(task, call.tensors, call.dims);
    return std::uint64_t{0};
  });
}

}  // namespace
}  // namespace assay::baseline

int main(int argc, char** argv) {
  assay::box::Worker worker;
  if (argc != 2 && argc != 3) worker.fail_to_load("usage: assay-baseline <task.yaml> [<library of its harness/>]");
  try {
    assay::spec::TaskFile from(argv[1]);
    if (argc == 3) from.library = argv[2];
    assay::baseline::serve(worker, from);
  } catch (const std::exception& error) {
    worker.fail_to_load(error.what());
  }
}
