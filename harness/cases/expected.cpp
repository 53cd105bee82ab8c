// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/cases/verifier.h"
#include "assay/oracle/storage.h"
#include "assay/spec/cases.h"
#include "assay/spec/float8.h"
#include "assay/spec/half.h"
#include "scales.h"

namespace assay::cases {
namespace {

using oracle::Bounded, oracle::Rounding, oracle::RoundingScope, oracle::SumOrder, oracle::Tensor, oracle::Value;
using spec::Case, spec::ElementType, spec::Shape, spec::Task, spec::TensorSpec;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool same_class(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return true;
}

/// An infinity where `x` leaves the range of its type, else x to the last digit.
double in_range(double x, ElementType type) {
  constexpr double kBeyondFloat = 0x1.ffffffp127;  // from here on a double is stored as an infinite float
  const bool beyond =
      type == ElementType::f32 ? std::abs(x) >= kBeyondFloat : spec::size_of(type) == 2 && std::isinf(spec::stored_as(x, type));
  return beyond ? std::copysign(kInfinity, x) : x;
}

ExpectedTensor expect(const TensorSpec& spec, const Value<Bounded>& value) {
  ExpectedTensor expected{spec.name, spec.type, value.shape(), {}, {}, {}, {}, 0, 0, {}};
  if (const auto* reals = std::get_if<Tensor<Bounded>>(&value.elements)) {
    expected.values.reserve(reals->size());
    expected.scales.reserve(reals->size());
    for (const Bounded& x : *reals) {
      expected.values.push_back(in_range(x.value, spec.type));
      // The magnitudes that were summed do not fit the type: in some legal order a partial sum overflows.
      expected.scales.push_back(std::isinf(in_range(x.error, spec.type)) ? kInfinity : x.error);
    }
  } else if (const auto* integers = std::get_if<oracle::Integers>(&value.elements)) {
    expected.exact.assign(integers->begin(), integers->end());
  } else {
    const auto& booleans = std::get<oracle::Booleans>(value.elements);
    expected.exact.assign(booleans.begin(), booleans.end());
  }
  expected.slack.resize(value.open.size());
  std::ranges::transform(value.open, expected.slack.begin(), [](std::uint8_t open) { return open > 1 ? kInfinity : open; });
  return expected;
}

/// How far the nearest number of a short type may be from one near `x`: half a unit in its last place; half of that below a power of two.
double half_a_place(double x, ElementType type) {
  int exponent = 0;
  const double place = spec::spacing(x, type);
  return std::frexp(std::abs(x), &exponent) == 0.5 && std::abs(x) > spec::smallest_normal_of(type) ? place / 4 : place / 2;
}

/// Whether a number that far from `x` may be on the other side of the type's range.
bool straddles(double x, double reach, ElementType type) {
  return std::isfinite(in_range(std::abs(x) - reach, type)) && std::isinf(in_range(std::abs(x) + reach, type));
}

/// What is free of 16-bit numbers: their own rounding, and what roundings to 16 bits on their way may move. What is exact is to be
/// rounded right. Where the model's last step is a cast, a number may lie near the middle between two of the type: either is right then.
void set_slack(ExpectedTensor& expected, const Value<Bounded>& rounded, bool cast) {
  const auto& reals = std::get<Tensor<Bounded>>(rounded.elements);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double value = expected.values[i], kept = spec::stored_as(value, expected.type);
    double& scale = expected.scales[i];
    const double moved = (reals[i].error - scale) * oracle::kRoundoff;
    const double own = spec::spacing(reals[i].value, expected.type) / 2;  // the output's own rounding
    if (!cast && straddles(reals[i].value, oracle::kMovedUnits * oracle::kRoundoff * scale + std::max(0.0, moved - own), expected.type)) {
      expected.slack.push_back(0);
      scale = kInfinity;
    } else if (cast && kept == value && std::isfinite(scale)) {
      expected.slack.push_back(scale * oracle::kRoundoff);
      scale = 0;
    } else if (scale == 0 && moved <= 0) {
      expected.slack.push_back(std::isfinite(kept) ? std::abs(kept - value) : 0);
    } else {
      expected.slack.push_back(half_a_place(value, expected.type) + std::max(0.0, moved - own));
    }
  }
}

bool is_cast(const spec::Graph& model, const std::string& output) {
  return std::ranges::any_of(model.nodes, [&](const spec::Node& node) {
    return node.op_type.starts_with("Cast") && std::ranges::find(node.outputs, output) != node.outputs.end();
  });
}

/// Of a model that says `compute:` the rounded numbers, from which roundings may move a kernel's, and nothing else. Not judged is what
/// overflows with them and not without, or the reverse: kernels are free to scale first.
ExpectedTensor expect_moved(const TensorSpec& spec, const Value<Bounded>& moved, const Value<Bounded>& unrounded) {
  ExpectedTensor expected = expect(spec, moved);
  const auto* reals = std::get_if<Tensor<Bounded>>(&moved.elements);
  if (reals == nullptr) return expected;
  const ExpectedTensor without = expect(spec, unrounded);
  expected.slack.assign(reals->size(), 0);
  for (std::size_t i = 0; i < reals->size(); ++i) {
    const double error = (*reals)[i].error;
    const double reach = oracle::kMovedUnits * oracle::kRoundoff * error;
    const bool is_told = std::isfinite(error) && without.shape == expected.shape && std::isfinite(without.scales[i]) &&
                         same_class(expected.values[i], without.values[i]) && !straddles((*reals)[i].value, reach, spec.type);
    expected.scales[i] = is_told ? 0 : kInfinity;
    expected.slack[i] = is_told ? reach : 0;
  }
  return expected;
}

void set_slacks(const Task& task, PreparedCase& prepared) {
  const auto is_short = [](const ExpectedTensor& output) { return spec::is_short_real(output.type); };
  if (std::ranges::none_of(prepared.outputs, is_short)) return;
  const auto rounded = evaluate_with_scales(task, prepared.dims, prepared.inputs, true, nullptr);
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    ExpectedTensor& output = prepared.outputs[i];
    // Of 8 bits there is nothing but casts, and what moves their results.
    if (is_short(output)) set_slack(output, rounded[i], spec::is_float8(output.type) || is_cast(task.model, output.name));
  }
}

bool in_double(const std::vector<TensorSpec>& outputs) {
  return std::ranges::any_of(outputs, [](const TensorSpec& output) { return output.type == ElementType::f64; });
}

/// Errors of one output of an honest evaluation, in units of u s.
struct Shown {
  double worst = 0, rms = 0;
  std::vector<std::size_t> elsewhere;  ///< elements that are a NaN or an infinity where the oracle has none, or the reverse
};

template <class T>
Shown shown_errors(const ExpectedTensor& expected, const Tensor<T>& honest) {
  Shown shown;
  const Precision precision = precision_of(expected.type);
  double squares = 0;
  for (std::size_t i = 0; i < honest.size(); ++i) {
    const double got = in_range(static_cast<double>(honest[i]), expected.type);
    if (!same_class(got, expected.values[i])) {
      shown.elsewhere.push_back(i);
      continue;
    }
    if (!std::isfinite(expected.values[i])) continue;
    // What is exact but for a rounding shows no error in units of a scale that is 0.
    const double slack = expected.scales[i] == 0 ? expected.slack_at(i) : 0;
    const double error = scaled_error(got, expected.values[i], expected.scales[i], slack, precision);
    shown.worst = std::max(shown.worst, error);
    squares += error * error;
  }
  shown.rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, honest.size())));
  return shown;
}

template <class T>
std::vector<Value<T>> honest_values(const Task& task, const PreparedCase& prepared, SumOrder order) {
  const auto shapes = spec::concrete_shapes(task.model.inputs, prepared.dims);
  const oracle::SumOrderScope ordered(order);
  return oracle::evaluate<T>(task.model, prepared.dims, as_values<T>(task.model.inputs, shapes, prepared.inputs));
}

template <class T>
std::vector<Shown> shown_in(const Task& task, const PreparedCase& prepared, SumOrder order) {
  std::vector<Shown> all;
  const auto values = honest_values<T>(task, prepared, order);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ExpectedTensor& expected = prepared.outputs[i];
    all.push_back(expected.values.empty() ? Shown{} : shown_errors(expected, std::get<Tensor<T>>(values[i].elements)));
  }
  return all;
}

std::vector<Shown> shown(const Task& task, const PreparedCase& prepared, SumOrder order) {
  return in_double(task.model.outputs) ? shown_in<double>(task, prepared, order) : shown_in<float>(task, prepared, order);
}

/// Of a model that says `compute:` analysis knows how far kernels may be off, but for those that overflow where others do not.
void leave_out_elsewhere(const Task& task, PreparedCase& prepared, SumOrder order) {
  for (const Rounding rounding : {Rounding::every, Rounding::none}) {
    const RoundingScope rounds(rounding);
    const auto all = shown(task, prepared, order);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const std::size_t element : all[i].elsewhere) prepared.outputs[i].scales[element] = kInfinity;
  }
}

/// Bounds from what honest evaluations show; an element that leaves the type's range in one of them is not judged.
void set_bounds(const Task& task, PreparedCase& prepared, const std::vector<SumOrder>& orders) {
  std::vector<double> worst(prepared.outputs.size(), 4), worst_rms(prepared.outputs.size(), 1);  // at least
  const bool splits = oracle::any_operator(task.model, [](const oracle::OperatorInfo& used) { return used.splits; });
  for (const SumOrder order : orders) {
    if (order == SumOrder::split && !splits) continue;
    if (task.model.compute) {
      leave_out_elsewhere(task, prepared, order);
      continue;
    }
    const auto all = shown(task, prepared, order);
    for (std::size_t i = 0; i < all.size(); ++i) {
      worst[i] = std::max(worst[i], all[i].worst);
      worst_rms[i] = std::max(worst_rms[i], all[i].rms);
      for (const std::size_t element : all[i].elsewhere) prepared.outputs[i].scales[element] = kInfinity;
    }
  }
  for (std::size_t i = 0; i < prepared.outputs.size(); ++i) {
    const auto own = task.bound_factors.find(prepared.outputs[i].name);
    const double factor = own == task.bound_factors.end() ? 4 : own->second;
    ExpectedTensor& output = prepared.outputs[i];
    output.max_bound = factor * worst[i];
    // One element at its bound is no sign of less precision in all.
    const double elements = static_cast<double>(std::max<std::size_t>(1, output.values.size()));
    output.rms_bound = std::max(factor * worst_rms[i], output.max_bound / std::sqrt(elements));
  }
}

template <class T>
std::vector<Bytes> evaluate_in(const Task& task, const PreparedCase& prepared, SumOrder order) {
  const auto values = honest_values<T>(task, prepared, order);
  std::vector<Bytes> outputs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    outputs.emplace_back(prepared.outputs[i].bytes());
    oracle::store_value(values[i], prepared.outputs[i].type, outputs.back().data());
  }
  return outputs;
}

}  // namespace

template <class T>
std::vector<Value<T>> as_values(const std::vector<TensorSpec>& specs, const std::vector<Shape>& shapes, const std::vector<Bytes>& inputs) {
  std::vector<Value<T>> values;
  for (std::size_t i = 0; i < specs.size(); ++i) values.push_back(oracle::load_value<T>(specs[i].type, shapes[i], inputs[i].data()));
  return values;
}

std::vector<Bytes> evaluate_honestly(const Task& task, const PreparedCase& prepared, SumOrder order, Rounding rounding) {
  const RoundingScope rounds(rounding);
  return in_double(task.model.outputs) ? evaluate_in<double>(task, prepared, order) : evaluate_in<float>(task, prepared, order);
}

std::vector<double> worst_errors(const Task& task, const PreparedCase& prepared, SumOrder order) {
  std::vector<double> worst;
  for (const Shown& output : shown(task, prepared, order)) worst.push_back(output.worst);
  return worst;
}

void set_expected(const Task& task, PreparedCase& prepared, const std::vector<SumOrder>& orders) {
  oracle::Cost cost;
  const oracle::DoubleRangeScope range(in_double(task.model.outputs));
  std::vector<Value<Bounded>> values, unrounded;
  if (task.model.compute) {
    values = evaluate_with_scales(task, prepared.dims, prepared.inputs, true, &cost);
    const RoundingScope exact(Rounding::none);
    unrounded = evaluate_with_scales(task, prepared.dims, prepared.inputs, false, nullptr);
  } else {
    values = evaluate_with_scales(task, prepared.dims, prepared.inputs, false, &cost);
  }
  prepared.flops = cost.flops;
  prepared.scattered_bytes = cost.scattered;
  prepared.outputs.clear();
  prepared.verifier = Verifier::of(task);
  std::vector<TensorSpec> specs = task.model.inputs;
  std::vector<Shape> all = spec::concrete_shapes(specs, prepared.dims);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TensorSpec& spec = task.model.outputs[i];
    if (values[i].type != spec.type)
      throw std::invalid_argument(fmt::format("output '{}' is declared {}, the model computes {}", spec.name,
                                              spec::info(spec.type).onnx_name, spec::info(values[i].type).onnx_name));
    specs.push_back(spec);
    all.push_back(values[i].shape());
    prepared.outputs.push_back(task.model.compute ? expect_moved(spec, values[i], unrounded[i]) : expect(spec, values[i]));
    if (!task.has_own_buffer(i)) prepared.outputs.back().in_place = task.in_place.at(i);
  }
  prepared.dims = oracle::bind_dims(specs, all, prepared.dims);
  prepared.dim_values.clear();
  for (const std::string& dim : task.dims) prepared.dim_values.push_back(prepared.dims.at(dim));
  if (!task.model.compute) set_slacks(task, prepared);
  if (!orders.empty()) set_bounds(task, prepared, orders);
}

PreparedCase prepare_case(const Task& task, const std::string& name, std::map<std::string, std::int64_t> dims, std::vector<Bytes> inputs,
                          const std::vector<SumOrder>& orders) {
  PreparedCase prepared{name, std::move(dims), {}, std::move(inputs), {}, 0, 0};
  set_expected(task, prepared, orders);
  return prepared;
}

std::size_t bytes_of(const PreparedCase& entry) {
  std::size_t bytes = 0;
  for (const Bytes& input : entry.inputs) bytes += input.size();
  for (const ExpectedTensor& output : entry.outputs) bytes += output.bytes();
  return bytes;
}

PreparedCase layout_of(PreparedCase prepared) {
  prepared.inputs.clear();
  prepared.verifier = nullptr;
  for (ExpectedTensor& output : prepared.outputs)
    output = {std::move(output.name), output.type,      std::move(output.shape), {}, {}, {}, {},
              output.max_bound,       output.rms_bound, output.in_place};
  return prepared;
}

namespace {

/// Where the others would take too long.
const std::vector<SumOrder> kTimedOrders = {SumOrder::natural, SumOrder::sequential, SumOrder::split};

/// Whether most of what a kernel gives here is held against a finite number.
bool judges_most(const PreparedCase& prepared) {
  std::size_t judged = 0, all = 0;
  for (const ExpectedTensor& output : prepared.outputs) {
    all += output.values.size();
    for (std::size_t i = 0; i < output.values.size(); ++i) judged += std::isfinite(output.values[i]) && std::isfinite(output.scales[i]);
  }
  return 2 * judged >= all;
}

/// Where an evaluation costs more than this, its bounds are learnt from two orders, as at timing shapes.
constexpr double kCostly = 5e7;

PreparedCase prepare_from(const Task& task, const Case& entry, const Seed& seed) {
  auto dims = draw_dims(entry, seed);
  PreparedCase prepared{entry.name, dims, {}, draw_inputs(task, entry.inputs, dims, seed, entry.name), {}, 0, 0};
  set_expected(task, prepared, {});
  set_bounds(task, prepared, prepared.flops > kCostly ? kTimedOrders : kLearntOrders);
  const bool mixed = std::ranges::any_of(entry.inputs, [](const auto& input) { return input.second.kind == "mixed"; });
  if (!mixed || judges_most(prepared)) return prepared;
  // The slices meet in the outputs (a batch's statistics): one NaN is all that there is to see.
  return prepare_case(task, entry.name, dims, draw_inputs(task, {}, dims, seed, entry.name), kLearntOrders);
}

/// At the extents of one usual case, and wherever a dimension is larger than its range: as it is timed, and in the task's own
/// cases.
void each_exact_case(const Task& task, const Seed& seed, const std::function<void(PreparedCase)>& use) {
  const auto add = [&](const std::string& name, IntegerKind kind, const Case& shapes) {
    auto exact = prepare_exact_case(task, seed, {name, kind, draw_dims(shapes, seed), 0});
    if (exact && gives_the_same(task, *exact, kLearntOrders)) use(std::move(*exact));
  };
  add("exact", IntegerKind::plain, task.cases.size() > 1 ? task.cases[1] : task.cases.front());
  // Float's digits on both sides of a product show on ordinary data when they are lost; what a sum loses drowns in it.
  const bool products = std::ranges::count_if(task.model.inputs, spec::is_real, &TensorSpec::type) > 1;
  for (const Case& entry : task.cases) {
    const bool beyond = std::ranges::any_of(entry.dims, [&](const auto& dim) {
      const auto range = task.dim_ranges.find(dim.first);
      return range != task.dim_ranges.end() && dim.second.high > range->second.high;
    });
    if (!beyond) continue;
    if (products) add("exact_products_" + entry.name, IntegerKind::both_wide, entry);
    else add("exact_" + entry.name, IntegerKind::plain, entry);
  }
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

/// A launch's draw of the same values is held against its bounds: orders are slow at this size.
PreparedCase timed_case(const Task& task, const Case& entry, const std::map<std::string, std::int64_t>& dims, const Seed& seed) {
  return prepare_case(task, entry.name, dims, draw_inputs(task, entry.inputs, dims, seed, "timing " + entry.name), kTimedOrders);
}

/// A few of its elements have the largest errors, and another draw has others: twice as much is let pass.
std::vector<ErrorBounds> probe_bounds_at(const Task& task, const Case& probe, const std::map<std::string, std::int64_t>& dims,
                                         const Seed& seed) {
  std::vector<ErrorBounds> bounds;
  for (const ExpectedTensor& output : timed_case(task, probe, dims, seed).outputs)
    bounds.push_back({2 * output.max_bound, 2 * output.rms_bound});
  return bounds;
}

TimingShape timing_shape(const Task& task, const std::map<std::string, std::int64_t>& dims, const Seed& seed) {
  TimingShape shape{dims, timed_case(task, {}, dims, seed), {}, {}, {}};
  for (const ExpectedTensor& output : shape.layout.outputs)
    shape.near.push_back(nearness(output, task.bound_factors.contains(output.name)));
  shape.layout = layout_of(std::move(shape.layout));
  shape.exact = exact_probes(task, dims, seed);
  for (const Case& probe : spec::probes(task)) shape.probes[probe.name] = probe_bounds_at(task, probe, dims, seed);
  return shape;
}

}  // namespace

void each_case(const Task& task, const Seed& seed, const std::function<void(PreparedCase)>& use) {
  for (const Case& entry : task.cases) use(prepare_from(task, entry, seed));
  each_exact_case(task, seed, use);
}

void verify_cases(const Task& task, CaseFile& cases) {
  for (PreparedCase& entry : cases.cases) entry.verifier = Verifier::of(task);
}

CaseFile prepare_cases(const Task& task, const Seed& seed) {
  CaseFile file{seed, {}, {}, {}};
  each_case(task, seed, [&](PreparedCase prepared) { file.cases.push_back(std::move(prepared)); });
  return file;
}

CaseFile prepare_timing(const Task& task, const Seed& seed, const std::string& target) {
  CaseFile file{seed, {}, {}, {}};
  for (const auto& dims : draw_timing_shapes(task, target, seed)) file.timing.push_back(timing_shape(task, dims, seed));
  return file;
}

template std::vector<Value<float>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);
template std::vector<Value<double>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);
template std::vector<Value<Bounded>> as_values(const std::vector<TensorSpec>&, const std::vector<Shape>&, const std::vector<Bytes>&);

}  // namespace assay::cases
