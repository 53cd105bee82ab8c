// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/oracle/storage.h"
#include "assay/spec/cases.h"
#include "assay/spec/half.h"

namespace assay::cases {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool same_class(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return true;
}

/// From here on a double is stored as an infinite float.
constexpr double kBeyondFloat = 0x1.ffffffp127;

/// An infinity where a kernel's result leaves the range of its type; else the oracle's own digits, except that a 16-bit output
/// is held against the correctly rounded result.
ExpectedTensor expect(const TensorSpec& spec, const Value<Bounded>& value) {
  ExpectedTensor expected{spec.name, spec.type, value.shape(), {}, {}, {}, {}, 0, 0};
  if (const auto* reals = std::get_if<Tensor<Bounded>>(&value.elements)) {
    expected.values.resize(reals->size());
    expected.scales.resize(reals->size());
    const auto store = [&](auto&& target_of) {
      for (std::size_t i = 0; i < reals->size(); ++i) {
        const Bounded& x = (*reals)[i];
        expected.values[i] = target_of(x.value);
        // The magnitudes that were summed do not fit the type: in some legal order a partial sum overflows.
        expected.scales[i] = std::isinf(target_of(x.error)) ? kInfinity : x.error;
      }
    };
    if (spec.type == ElementType::f32) store([](double x) { return std::abs(x) >= kBeyondFloat ? std::copysign(kInfinity, x) : x; });
    else store([&](double x) { return size_of(spec.type) == 2 ? stored_as(x, spec.type) : x; });
  } else if (const auto* integers = std::get_if<Integers>(&value.elements)) {
    expected.exact.assign(integers->begin(), integers->end());
  } else {
    const auto& booleans = std::get<Booleans>(value.elements);
    expected.exact.assign(booleans.begin(), booleans.end());
  }
  expected.slack.resize(value.open.size());
  std::ranges::transform(value.open, expected.slack.begin(), [](std::uint8_t open) { return open > 1 ? kInfinity : open; });
  return expected;
}

/// What is free of a 16-bit output: one unit in its last place, and what intermediate roundings to 16 bits
/// may move.
void set_slack(ExpectedTensor& expected, const Value<Bounded>& rounded) {
  constexpr double kRoundoff = 0x1p-24;
  const auto& reals = std::get<Tensor<Bounded>>(rounded.elements);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double last_place = spacing(expected.values[i], expected.type);
    const double moved = (reals[i].error - expected.scales[i]) * kRoundoff - last_place / 2;  // less the output's own rounding
    expected.slack.push_back(last_place + std::max(0.0, moved));
  }
}

void set_slacks(const Task& task, PreparedCase& prepared, const std::vector<Value<Bounded>>& inputs) {
  const auto is_half = [](const ExpectedTensor& output) { return !output.values.empty() && size_of(output.type) == 2; };
  if (std::ranges::none_of(prepared.outputs, is_half)) return;
  const HalfRoundingScope rounds_halves;
  const auto rounded = evaluate<Bounded>(task.model, inputs);
  for (std::size_t i = 0; i < rounded.size(); ++i)
    if (is_half(prepared.outputs[i])) set_slack(prepared.outputs[i], rounded[i]);
}

/// Widens the bound to what an honest evaluation shows; an element that leaves the type's range there is not
/// judged.
void learn_bound(ExpectedTensor& expected, const Bytes& evaluated, double& worst, double& worst_rms) {
  const auto reals = std::get<Tensor<double>>(load_value<double>(expected.type, expected.shape, evaluated.data()).elements);
  const Precision precision = precision_of(expected.type);
  double squares = 0;
  for (std::size_t i = 0; i < reals.size(); ++i) {
    if (!same_class(reals[i], expected.values[i])) {
      expected.scales[i] = kInfinity;
      continue;
    }
    if (!std::isfinite(expected.values[i])) continue;
    const double error = scaled_error(reals[i], expected.values[i], expected.scales[i], expected.slack_at(i), precision);
    worst = std::max(worst, error);
    squares += error * error;
  }
  worst_rms = std::max(worst_rms, std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, reals.size()))));
}

void set_bounds(const Task& task, PreparedCase& prepared, const std::vector<SumOrder>& orders) {
  std::vector<double> worst(prepared.outputs.size(), 4), worst_rms(prepared.outputs.size(), 1);  // at least
  for (const SumOrder order : orders) {
    const auto evaluated = evaluate_honestly(task, prepared, order);
    for (std::size_t i = 0; i < evaluated.size(); ++i)
      if (!prepared.outputs[i].values.empty()) learn_bound(prepared.outputs[i], evaluated[i], worst[i], worst_rms[i]);
  }
  for (std::size_t i = 0; i < prepared.outputs.size(); ++i) {
    const auto own = task.bound_factors.find(prepared.outputs[i].name);
    const double factor = own == task.bound_factors.end() ? 4 : own->second;
    prepared.outputs[i].max_bound = factor * worst[i];
    prepared.outputs[i].rms_bound = factor * worst_rms[i];
  }
}

bool in_double(const std::vector<TensorSpec>& outputs) {
  return std::ranges::any_of(outputs, [](const TensorSpec& output) { return output.type == ElementType::f64; });
}

template <class T>
std::vector<Bytes> evaluate_in(const Task& task, const PreparedCase& prepared, SumOrder order) {
  const auto shapes = concrete_shapes(task.model.inputs, prepared.dims);
  const SumOrderScope ordered(order);
  const auto values = evaluate<T>(task.model, as_values<T>(task.model.inputs, shapes, prepared.inputs));
  std::vector<Bytes> outputs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    outputs.emplace_back(prepared.outputs[i].bytes());
    store_value(values[i], prepared.outputs[i].type, outputs.back().data());
  }
  return outputs;
}

}  // namespace

template <class T>
std::vector<Value<T>> as_values(const std::vector<TensorSpec>& specs, const std::vector<Shape>& shapes, const std::vector<Bytes>& inputs) {
  std::vector<Value<T>> values;
  for (std::size_t i = 0; i < specs.size(); ++i) values.push_back(load_value<T>(specs[i].type, shapes[i], inputs[i].data()));
  return values;
}

std::vector<Bytes> evaluate_honestly(const Task& task, const PreparedCase& prepared, SumOrder order) {
  return in_double(task.model.outputs) ? evaluate_in<double>(task, prepared, order) : evaluate_in<float>(task, prepared, order);
}

void set_expected(const Task& task, PreparedCase& prepared, const std::vector<SumOrder>& orders) {
  const std::vector<Shape> shapes = concrete_shapes(task.model.inputs, prepared.dims);
  const auto bounded = as_values<Bounded>(task.model.inputs, shapes, prepared.inputs);
  Cost cost;
  const DoubleRangeScope range(in_double(task.model.outputs));
  const auto values = evaluate<Bounded>(task.model, bounded, &cost);
  prepared.flops = cost.flops;
  prepared.outputs.clear();
  std::vector<TensorSpec> specs = task.model.inputs;
  std::vector<Shape> all = shapes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TensorSpec& spec = task.model.outputs[i];
    if (values[i].type != spec.type)
      throw std::invalid_argument(fmt::format("output '{}' is declared {}, the model computes {}", spec.name, info(spec.type).onnx_name,
                                              info(values[i].type).onnx_name));
    specs.push_back(spec);
    all.push_back(values[i].shape());
    prepared.outputs.push_back(expect(spec, values[i]));
  }
  prepared.dims = bind_dims(specs, all);
  prepared.dim_values.clear();
  for (const std::string& dim : task.dims) prepared.dim_values.push_back(prepared.dims.at(dim));
  set_slacks(task, prepared, bounded);
  if (!orders.empty()) set_bounds(task, prepared, orders);
}

PreparedCase prepare_case(const Task& task, const std::string& name, std::map<std::string, std::int64_t> dims, std::vector<Bytes> inputs,
                          const std::vector<SumOrder>& orders) {
  PreparedCase prepared{name, std::move(dims), {}, std::move(inputs), {}, 0, 0};
  set_expected(task, prepared, orders);
  return prepared;
}

namespace {

/// Whether most of what a kernel gives here is held against a finite number.
bool judges_most(const PreparedCase& prepared) {
  std::size_t judged = 0, all = 0;
  for (const ExpectedTensor& output : prepared.outputs) {
    all += output.values.size();
    for (std::size_t i = 0; i < output.values.size(); ++i) judged += std::isfinite(output.values[i]) && std::isfinite(output.scales[i]);
  }
  return 2 * judged >= all;
}

PreparedCase prepare_from(const Task& task, const Case& entry, const Seed& seed) {
  auto dims = draw_dims(entry, seed);
  PreparedCase prepared = prepare_case(task, entry.name, dims, draw_inputs(task, entry.inputs, dims, seed, entry.name), kLearntOrders);
  const bool mixed = std::ranges::any_of(entry.inputs, [](const auto& input) { return input.second.kind == "mixed"; });
  if (!mixed || judges_most(prepared)) return prepared;
  // The slices meet in the outputs (a batch's statistics): one NaN is all that there is to see.
  return prepare_case(task, entry.name, dims, draw_inputs(task, {}, dims, seed, entry.name), kLearntOrders);
}

/// At the extents of one usual case, and wherever a dimension is larger than its range: as it is timed, and in the task's own
/// cases.
std::vector<PreparedCase> prepare_exact_cases(const Task& task, const Seed& seed) {
  std::vector<PreparedCase> prepared;
  const auto add = [&](const std::string& name, IntegerKind kind, const Case& shapes) {
    auto exact = prepare_exact_case(task, seed, {name, kind, draw_dims(shapes, seed), 0});
    if (exact && gives_the_same(task, *exact, kLearntOrders)) prepared.push_back(std::move(*exact));
  };
  add("exact", IntegerKind::plain, task.cases.size() > 1 ? task.cases[1] : task.cases.front());
  // Float's digits on both sides of a product show on ordinary data when they are lost; what a sum loses drowns in it.
  const auto is_real = [](const TensorSpec& input) { return info(input.type).element_class == ElementClass::real; };
  const bool products = std::ranges::count_if(task.model.inputs, is_real) > 1;
  for (const Case& entry : task.cases) {
    const bool beyond = std::ranges::any_of(entry.dims, [&](const auto& dim) {
      const auto range = task.dim_ranges.find(dim.first);
      return range != task.dim_ranges.end() && dim.second.high > range->second.high;
    });
    if (!beyond) continue;
    if (products) add("exact_products_" + entry.name, IntegerKind::both_wide, entry);
    else add("exact_" + entry.name, IntegerKind::plain, entry);
  }
  return prepared;
}

std::vector<ExactCase> exact_probes(const Task& task, const std::map<std::string, std::int64_t>& dims, const Seed& seed) {
  std::vector<ExactCase> probes;
  for (const IntegerKind kind : {IntegerKind::plain, IntegerKind::both_wide}) {
    ExactCase wanted{kind == IntegerKind::plain ? "exact" : "exact_products", kind, dims, 0};
    const auto exact = prepare_exact_case(task, seed, wanted);
    if (!exact || !gives_the_same(task, *exact, {SumOrder::natural})) continue;
    wanted.first_draw = exact->draw;
    probes.push_back(std::move(wanted));
  }
  return probes;
}

/// A launch's draw of the same values is held against these: orders are slow at this size.
std::vector<ErrorBounds> bounds_at(const Task& task, const Case& entry, const std::map<std::string, std::int64_t>& dims, const Seed& seed) {
  const PreparedCase drawn = prepare_case(task, entry.name, dims, draw_inputs(task, entry.inputs, dims, seed, "timing " + entry.name),
                                          {SumOrder::natural, SumOrder::sequential});
  std::vector<ErrorBounds> bounds;
  for (const ExpectedTensor& output : drawn.outputs) bounds.push_back({output.max_bound, output.rms_bound});
  return bounds;
}

}  // namespace

CaseFile prepare_all(const Task& task, const Seed& seed, const std::string& target) {
  CaseFile file{seed, {}, {}, {}};
  for (const Case& entry : task.cases) file.cases.push_back(prepare_from(task, entry, seed));
  for (PreparedCase& exact : prepare_exact_cases(task, seed)) file.cases.push_back(std::move(exact));
  for (const auto& dims : draw_timing_shapes(task, target, seed)) {
    TimingShape shape{dims, bounds_at(task, {"", {}, {}}, dims, seed), exact_probes(task, dims, seed), {}};
    for (const Case& probe : probes(task)) shape.probes[probe.name] = bounds_at(task, probe, dims, seed);
    file.timing.push_back(std::move(shape));
  }
  return file;
}

template std::vector<Value<float>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);
template std::vector<Value<double>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);
template std::vector<Value<Bounded>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);

}  // namespace assay::cases
