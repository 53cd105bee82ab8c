// SPDX-License-Identifier: Apache-2.0
#include "assay/judge/expected.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double round_to_range(double x) {
  return std::abs(x) > std::numeric_limits<float>::max() ? std::copysign(kInfinity, x) : x;
}

bool same_class(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return true;
}

template <class T, class Stored>
Tensor<T> converted(const Shape& shape, const Bytes& bytes) {
  Tensor<T> tensor(shape);
  const auto* from = reinterpret_cast<const Stored*>(bytes.data());
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<T>(from[i]);
  return tensor;
}

template <class T>
Value<T> as_value(ElementType type, const Shape& shape, const Bytes& bytes) {
  switch (type) {
    case ElementType::f32: return {type, converted<T, float>(shape, bytes)};
    case ElementType::f64: return {type, converted<T, double>(shape, bytes)};
    case ElementType::i8: return {type, converted<std::int64_t, std::int8_t>(shape, bytes)};
    case ElementType::i16: return {type, converted<std::int64_t, std::int16_t>(shape, bytes)};
    case ElementType::i32: return {type, converted<std::int64_t, std::int32_t>(shape, bytes)};
    case ElementType::i64:
    case ElementType::u64: return {type, converted<std::int64_t, std::int64_t>(shape, bytes)};
    case ElementType::u8: return {type, converted<std::int64_t, std::uint8_t>(shape, bytes)};
    case ElementType::u16: return {type, converted<std::int64_t, std::uint16_t>(shape, bytes)};
    case ElementType::u32: return {type, converted<std::int64_t, std::uint32_t>(shape, bytes)};
    case ElementType::boolean: return {type, converted<std::uint8_t, std::uint8_t>(shape, bytes)};
    case ElementType::f16:
    case ElementType::bf16: break;
  }
  throw std::invalid_argument(fmt::format("inputs of type {} cannot be evaluated", info(type).onnx_name));
}

ExpectedTensor expect(const TensorSpec& spec, const Value<Bounded>& value) {
  ExpectedTensor expected{spec.name, spec.type, value.shape(), {}, {}, {}, 0, 0};
  if (const auto* reals = std::get_if<Tensor<Bounded>>(&value.elements)) {
    for (const Bounded& x : *reals) {
      expected.values.push_back(spec.type == ElementType::f32 ? round_to_range(x.value) : x.value);
      expected.scales.push_back(x.error);
    }
  } else if (const auto* integers = std::get_if<Integers>(&value.elements)) {
    expected.exact.assign(integers->begin(), integers->end());
  } else {
    const auto& booleans = std::get<Booleans>(value.elements);
    expected.exact.assign(booleans.begin(), booleans.end());
  }
  return expected;
}

/// Widens the bound to what a float32 evaluation shows; an element that leaves float32's range there is not judged.
void learn_bound(ExpectedTensor& expected, const Tensor<float>& evaluated, double& worst, double& worst_rms) {
  double squares = 0;
  for (std::size_t i = 0; i < evaluated.size(); ++i) {
    if (!same_class(evaluated[i], expected.values[i])) {
      expected.scales[i] = kInfinity;
      continue;
    }
    if (!std::isfinite(expected.values[i]) || std::isinf(expected.scales[i])) continue;
    const double error = scaled_error(evaluated[i], expected.values[i], expected.scales[i]);
    worst = std::max(worst, error);
    squares += error * error;
  }
  worst_rms = std::max(worst_rms, std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, evaluated.size()))));
}

void set_bounds(const Task& task, PreparedCase& prepared, const std::vector<Shape>& shapes,
                const std::vector<SumOrder>& orders) {
  std::vector<double> worst(prepared.outputs.size(), 0), worst_rms = worst;
  const auto inputs = as_values<float>(task.model.inputs, shapes, prepared.inputs);
  for (const SumOrder order : orders) {
    set_sum_order(order);
    const auto evaluated = evaluate<float>(task.model, inputs);
    set_sum_order(SumOrder::natural);
    for (std::size_t i = 0; i < evaluated.size(); ++i)
      if (const auto* reals = std::get_if<Tensor<float>>(&evaluated[i].elements))
        learn_bound(prepared.outputs[i], *reals, worst[i], worst_rms[i]);
  }
  for (std::size_t i = 0; i < prepared.outputs.size(); ++i) {
    prepared.outputs[i].max_bound = 4 * std::max(worst[i], 4.0);
    prepared.outputs[i].rms_bound = 4 * std::max(worst_rms[i], 1.0);
  }
}

}  // namespace

template <class T>
std::vector<Value<T>> as_values(const std::vector<TensorSpec>& specs, const std::vector<Shape>& shapes,
                                const std::vector<Bytes>& inputs) {
  std::vector<Value<T>> values;
  for (std::size_t i = 0; i < specs.size(); ++i) values.push_back(as_value<T>(specs[i].type, shapes[i], inputs[i]));
  return values;
}

PreparedCase prepare_case(const Task& task, const std::string& name, std::map<std::string, std::int64_t> dims,
                          std::vector<Bytes> inputs, const std::vector<SumOrder>& orders) {
  PreparedCase prepared{name, std::move(dims), {}, std::move(inputs), {}, 0};
  const std::vector<Shape> shapes = concrete_shapes(task.model.inputs, prepared.dims);
  Cost cost;
  const auto values = evaluate<Bounded>(task.model, as_values<Bounded>(task.model.inputs, shapes, prepared.inputs), &cost);
  prepared.flops = cost.flops;
  std::vector<TensorSpec> specs = task.model.inputs;
  std::vector<Shape> all = shapes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TensorSpec& spec = task.model.outputs[i];
    if (values[i].type != spec.type)
      throw std::invalid_argument(fmt::format("output '{}' is declared {}, the model computes {}", spec.name,
                                              info(spec.type).onnx_name, info(values[i].type).onnx_name));
    specs.push_back(spec);
    all.push_back(values[i].shape());
    prepared.outputs.push_back(expect(spec, values[i]));
  }
  prepared.dims = bind_dims(specs, all);
  for (const std::string& dim : task.dims) prepared.dim_values.push_back(prepared.dims.at(dim));
  if (!orders.empty()) set_bounds(task, prepared, shapes, orders);
  return prepared;
}

CaseFile prepare_all(const Task& task, std::uint64_t seed) {
  CaseFile file{seed, {}, {}};
  constexpr SumOrder kNatural = SumOrder::natural, kSequential = SumOrder::sequential;
  for (const Case& entry : task.cases) {
    auto dims = draw_dims(entry, seed);
    auto inputs = draw_inputs(task, entry.inputs, dims, seed, entry.name);
    file.cases.push_back(prepare_case(task, entry.name, std::move(dims), std::move(inputs),
                                      {kNatural, kSequential, SumOrder::reversed, SumOrder::pairwise}));
  }
  if (const auto timing = task.timing.find("cpu"); timing != task.timing.end()) {
    auto inputs = draw_inputs(task, {}, timing->second, seed, "timing");
    const PreparedCase drawn = prepare_case(task, "timing", timing->second, std::move(inputs), {kNatural, kSequential});
    for (const ExpectedTensor& output : drawn.outputs) file.timing_bounds.push_back({output.max_bound, output.rms_bound});
  }
  return file;
}

template std::vector<Value<float>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);
template std::vector<Value<double>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);
template std::vector<Value<Bounded>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);

}  // namespace assay
