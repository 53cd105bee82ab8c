// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alterations.h"
#include "assay/oracle/storage.h"
#include "assay/spec/half.h"

namespace assay::admission {
namespace {

using cases::as_values, cases::ExpectedTensor;
using oracle::Tensor, oracle::Value;
using spec::Task;

using Inputs = std::vector<Value<double>>;

/// The model evaluated on inputs that edit(inputs) has changed; it says whether there was anything to change.
template <class Edit>
std::function<std::optional<Outputs>(const Subject&)> on_inputs(Edit edit) {
  return [edit](const Subject& subject) -> std::optional<Outputs> {
    Inputs inputs = subject.run.inputs();
    if (!edit(inputs)) return {};
    return outputs_of(subject.task.model, subject, inputs);
  };
}

/// A copy that is the value's own: those that are loaded look at the case's bytes.
template <class E>
Tensor<E> owned(const Tensor<E>& from) {
  Tensor<E> copy(from.shape());
  std::copy(from.begin(), from.end(), copy.begin());
  return copy;
}

/// Every real input rounded by round(element, largest magnitude of its tensor).
template <class Round>
bool round_reals(Inputs& inputs, Round round) {
  bool any = false;
  for (Value<double>& input : inputs) {
    auto* reals = std::get_if<Tensor<double>>(&input.elements);
    if (reals == nullptr) continue;
    Tensor<double> rounded = owned(*reals);
    double largest = 0;
    for (const double x : rounded) largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : largest;
    for (double& x : rounded) x = round(x, largest);
    *reals = rounded;
    any = true;
  }
  return any;
}

double to_f16(double x, double) { return spec::stored_as(x, spec::ElementType::f16); }
double to_bf16(double x, double) { return spec::stored_as(x, spec::ElementType::bf16); }
double to_tf32(double x, double) { return spec::rounded_to(x, 11, -126); }
double to_int8(double x, double largest) {
  if (largest == 0 || !std::isfinite(x)) return x;
  const double step = largest / 127;
  return step * std::nearbyint(x / step);
}

template <class Round>
Alteration in_precision(std::string name, Round round) {
  return {std::move(name), on_inputs([round](Inputs& inputs) { return round_reals(inputs, round); }), false, true};
}

Alteration ignored(const Task& task, std::size_t i) {
  return {fmt::format("input '{}' ignored (zero)", task.model.inputs[i].name), on_inputs([i](Inputs& inputs) {
            std::visit(
                [](auto& tensor) {
                  auto zeros = owned(tensor);
                  std::fill(zeros.begin(), zeros.end(), 0);
                  tensor = zeros;
                },
                inputs[i].elements);
            return true;
          }),
          true};
}

/// Read as if its last two axes were stored the other way round.
Alteration misread(const Task& task, std::size_t i) {
  return {fmt::format("input '{}' read in column order", task.model.inputs[i].name), on_inputs([i](Inputs& inputs) {
            return std::visit(
                [](auto& tensor) {
                  const spec::Shape& shape = tensor.shape();
                  if (shape.size() < 2) return false;
                  const auto columns = static_cast<std::size_t>(shape.back()), rows = static_cast<std::size_t>(shape[shape.size() - 2]);
                  auto read = owned(tensor);
                  for (std::size_t n = 0; n < read.size(); ++n) {
                    const std::size_t within = n % (rows * columns);
                    read[n] = tensor[n - within + within % columns * rows + within / columns];
                  }
                  tensor = read;
                  return true;
                },
                inputs[i].elements);
          }),
          false, true};
}

}  // namespace

std::vector<Value<double>> inputs_of(const cases::PreparedCase& prepared, const Task& task) {
  return as_values<double>(task.model.inputs, spec::concrete_shapes(task.model.inputs, prepared.dims), prepared.inputs);
}

Outputs stored(const std::vector<Value<double>>& values, const cases::PreparedCase& prepared) {
  Outputs outputs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    outputs.emplace_back(prepared.outputs[i].bytes());
    oracle::store_value(values[i], prepared.outputs[i].type, outputs.back().data());
  }
  return outputs;
}

std::optional<Outputs> outputs_of(const spec::Graph& model, const Subject& subject, const std::vector<Value<double>>& inputs) {
  try {
    const auto values = subject.run.outputs_of(model, inputs);
    const auto agree = [&](auto&& same) { return std::ranges::equal(values, subject.prepared.outputs, same); };
    if (!agree([](const auto& value, const ExpectedTensor& right) { return value.type == right.type; })) return {};
    if (!agree([](const auto& value, const ExpectedTensor& right) { return value.shape() == right.shape; })) return Outputs{};
    return stored(values, subject.prepared);
  } catch (const std::exception&) {  // the altered model or index has no meaning: no kernel computes it
    return {};
  }
}

std::vector<Alteration> input_alterations(const Task& task) {
  std::vector<Alteration> alterations = {in_precision("computed from bfloat16", to_bf16), in_precision("computed from float16", to_f16),
                                         in_precision("computed from TensorFloat-32", to_tf32),
                                         in_precision("computed from int8", to_int8)};
  std::vector<std::size_t> all(task.model.inputs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const std::size_t i : spread(all, task.model)) {
    alterations.push_back(ignored(task, i));
    alterations.push_back(misread(task, i));
  }
  return alterations;
}

}  // namespace assay::admission
