// SPDX-License-Identifier: Apache-2.0
// Control flow: If, Loop, Scan. Their bodies are graphs that also see the values of the graphs around them.
// What a body costs is counted as often as it runs; the node itself costs nothing. Read first slice_of and
// stacked (one element along an axis, and back), then the three operators.
#include <fmt/core.h>

#include <cmath>

#include "reduction.h"

namespace assay::oracle {
namespace {

/// x's element `index` along `axis`, the axis gone.
template <class T>
Value<T> slice_of(const Value<T>& x, std::size_t axis, std::int64_t index) {
  return std::visit(
      [&](const auto& from) {
        const AxisView view(from.shape(), axis);
        Shape shape = from.shape();
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
        std::decay_t<decltype(from)> to(shape);
        for (std::int64_t o = 0; o < view.outer; ++o)
          std::copy_n(from.data() + (o * view.extent + index) * view.inner, view.inner, to.data() + o * view.inner);
        return Value<T>{x.type, to};
      },
      x.elements);
}

/// The values side by side along a new axis; of none, what `spec` declares with an extent of 0.
template <class C, class T>
Value<T> stacked(C& call, const std::vector<Value<T>>& values, std::int64_t given_axis, bool reversed, const spec::TensorSpec& spec) {
  if (values.empty()) {
    Shape shape;
    for (const spec::Dim& dim : spec.shape) {
      if (dim.value < 0)
        call.fail(
            fmt::format("runs no iteration, so that output '{}' of its body has no known extent {}. do: declare it", spec.name, dim.name));
      shape.push_back(dim.value);
    }
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(call.axis(given_axis, shape.size() + 1)), 0);
    switch (info(spec.type).element_class) {
      case ElementClass::real: return {spec.type, Tensor<T>(shape)};
      case ElementClass::integer: return {spec.type, Integers(shape)};
      case ElementClass::boolean: return {spec.type, Booleans(shape)};
    }
  }
  for (const Value<T>& value : values)
    if (!value.open.empty()) call.leave_all_open();
  const Shape& part = values.front().shape();
  const std::size_t axis = call.axis(given_axis, part.size() + 1);
  const auto count = static_cast<std::int64_t>(values.size());
  Shape shape = part;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), count);
  const AxisView view(shape, axis);
  return std::visit(
      [&]<class E>(const Tensor<E>&) {
        Tensor<E> to(shape);
        for (std::int64_t i = 0; i < count; ++i) {
          const Value<T>& value = values[static_cast<std::size_t>(reversed ? count - 1 - i : i)];
          const auto* from = std::get_if<Tensor<E>>(&value.elements);
          if (from == nullptr || value.shape() != part)
            call.fail(fmt::format("output '{}' of its body changes from iteration to iteration: shape {}, then {}", spec.name,
                                  to_string(part), to_string(value.shape())));
          for (std::int64_t o = 0; o < view.outer; ++o)
            std::copy_n(from->data() + o * view.inner, view.inner, to.data() + (o * count + i) * view.inner);
        }
        return Value<T>{values.front().type, to};
      },
      values.front().elements);
}

template <class C>
bool flag_of(C& call, const Value<typename C::Scalar>& value, const char* what) {
  const auto* flag = std::get_if<Booleans>(&value.elements);
  call.require(flag != nullptr && flag->size() == 1, std::string(what) + " must be one boolean");
  if (!value.open.empty()) call.leave_all_open();
  return (*flag)[0] != 0;
}

template <class C>
void require_parameters(const C& call, const Graph& body, const char* name, std::size_t inputs, std::size_t outputs) {
  if (body.inputs.size() != inputs || body.outputs.size() < outputs)
    call.fail(fmt::format("attribute '{}' must be a graph of {} inputs and at least {} outputs, got {} and {}", name, inputs, outputs,
                          body.inputs.size(), body.outputs.size()));
}

/// The outputs of then_branch where the condition holds, else those of else_branch. ONNX If, opset 1.
const bool conditional = define({.name = "If", .specials = Specials::nan, .sized_by_values = true}, [](auto& call) {
  call.flops(0), call.moves_nothing();
  const Graph &yes = call.graph("then_branch"), &no = call.graph("else_branch");
  require_parameters(call, yes, "then_branch", 0, call.node().outputs.size());
  require_parameters(call, no, "else_branch", 0, call.node().outputs.size());
  call.open(0);  // flag_of sees to it
  const auto outputs = call.run(flag_of(call, call.input(0), "the condition") ? yes : no, {});
  for (std::size_t i = 0; i < call.node().outputs.size(); ++i) call.put(i, outputs[i]);
});

/// for (i = 0; i < M && cond; ++i) cond, carried..., scanned... = body(i, cond, carried...). Inputs M (none:
/// no limit), cond (none: true), carried...; outputs: the last carried..., then each scanned value of all
/// iterations along a new first axis. ONNX Loop, opset 11.
const bool loop = define({.name = "Loop", .specials = Specials::nan, .sized_by_values = true}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  call.flops(0), call.moves_nothing();
  const Graph& body = call.graph("body");
  const std::size_t carried = call.input_count() < 2 ? 0 : call.input_count() - 2;
  require_parameters(call, body, "body", carried + 2, carried + 1);
  const bool limited = call.has_input(0), conditioned = call.has_input(1);
  call.require(!limited || call.integers(0).size() == 1, "M must be one integer");
  const std::int64_t most = limited ? call.integers(0)[0] : std::numeric_limits<std::int64_t>::max();
  bool goes_on = true;
  if (conditioned) call.open(1), goes_on = flag_of(call, call.input(1), "the condition");
  std::vector<Value<T>> arguments(2);
  for (std::size_t i = 0; i < carried; ++i) call.open(i + 2), arguments.push_back(call.input(i + 2));
  std::vector<std::vector<Value<T>>> scanned(body.outputs.size() - 1 - carried);
  for (std::int64_t i = 0; i < most && goes_on; ++i) {
    Integers iteration((Shape()));
    Booleans condition((Shape()));
    iteration[0] = i, condition[0] = 1;
    arguments[0] = {ElementType::i64, iteration};
    arguments[1] = {ElementType::boolean, condition};
    const std::vector<Value<T>> results = call.run(body, arguments);
    goes_on = flag_of(call, results[0], "the first output of its body");
    std::copy_n(results.begin() + 1, carried, arguments.begin() + 2);
    for (std::size_t s = 0; s < scanned.size(); ++s) scanned[s].push_back(results[1 + carried + s]);
  }
  for (std::size_t i = 0; i < carried && i < call.node().outputs.size(); ++i) call.put(i, arguments[i + 2]);
  for (std::size_t s = 0; s < scanned.size() && call.wants(carried + s); ++s)
    call.put(carried + s, stacked(call, scanned[s], 0, false, body.outputs[1 + carried + s]));
});

/// Axes and directions of a Scan's scanned inputs and outputs.
struct ScanPlan {
  std::size_t states, scanned_in, scanned_out;
  std::vector<std::int64_t> in_axes, in_directions, out_axes, out_directions;
};

template <class C>
std::vector<std::int64_t> list_of(const C& call, const std::string& name, std::size_t count) {
  std::vector<std::int64_t> list = call.integer_list(name, std::vector<std::int64_t>(count, 0));
  if (list.size() != count) call.fail(fmt::format("attribute '{}' needs {} values, got {}", name, count, list.size()));
  return list;
}

/// `values`: the states, then the scanned inputs. Returns the last states, then each scanned output of all
/// iterations.
template <class C, class T>
std::vector<Value<T>> scan_once(C& call, const Graph& body, const ScanPlan& plan, std::vector<Value<T>> values) {
  std::int64_t count = -1;
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < plan.scanned_in; ++i) {
    const Shape& shape = values[plan.states + i].shape();
    axes.push_back(call.axis(plan.in_axes[i], shape.size()));
    const std::int64_t extent = shape[axes.back()];
    if (count >= 0 && extent != count) call.fail(fmt::format("scanned inputs have {} and {} elements along their axes", count, extent));
    count = extent;
  }
  std::vector<Value<T>> arguments(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(plan.states));
  arguments.resize(plan.states + plan.scanned_in);
  std::vector<std::vector<Value<T>>> scanned(plan.scanned_out);
  for (std::int64_t step = 0; step < count; ++step) {
    for (std::size_t i = 0; i < plan.scanned_in; ++i)
      arguments[plan.states + i] = slice_of(values[plan.states + i], axes[i], plan.in_directions[i] != 0 ? count - 1 - step : step);
    const std::vector<Value<T>> results = call.run(body, arguments);
    std::copy_n(results.begin(), plan.states, arguments.begin());
    for (std::size_t s = 0; s < plan.scanned_out; ++s) scanned[s].push_back(results[plan.states + s]);
  }
  arguments.resize(plan.states);
  for (std::size_t s = 0; s < plan.scanned_out; ++s)
    arguments.push_back(stacked(call, scanned[s], plan.out_axes[s], plan.out_directions[s] != 0, body.outputs[plan.states + s]));
  return arguments;
}

/// states..., scanned... = body(states..., an element of each scanned input), for every element along the
/// inputs' axes. Inputs: first states, then num_scan_inputs tensors; axes and directions (1: backwards) by
/// attributes. Before opset 9 the first input is sequence_lens, which must be left out, and every tensor has
/// a batch dimension in front of it all. ONNX Scan, opset 8.
const bool scan = define({.name = "Scan", .specials = Specials::nan, .since = 8}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  call.flops(0), call.moves_nothing();
  const Graph& body = call.graph("body");
  const bool batched = call.opset() < 9;
  call.require(!batched || !call.has_input(0), "sequence_lens is not supported. do: leave it out, or use opset 9");
  const std::size_t first = batched ? 1 : 0, given = call.input_count() - first;
  const std::int64_t wanted = call.integer("num_scan_inputs");
  call.require(wanted >= 1 && static_cast<std::size_t>(wanted) <= given,
               fmt::format("num_scan_inputs must be 1 to {}, got {}", given, wanted));
  ScanPlan plan{given - static_cast<std::size_t>(wanted), static_cast<std::size_t>(wanted), 0, {}, {}, {}, {}};
  require_parameters(call, body, "body", given, plan.states);
  plan.scanned_out = body.outputs.size() - plan.states;
  plan.in_axes = list_of(call, "scan_input_axes", plan.scanned_in);
  plan.in_directions = list_of(call, batched ? "directions" : "scan_input_directions", plan.scanned_in);
  plan.out_axes = list_of(call, "scan_output_axes", plan.scanned_out);
  plan.out_directions = list_of(call, "scan_output_directions", plan.scanned_out);
  std::vector<Value<T>> values;
  for (std::size_t i = 0; i < given; ++i) values.push_back(call.input(first + i));
  std::vector<Value<T>> results;
  if (!batched) {
    results = scan_once(call, body, plan, std::move(values));
  } else {
    std::vector<std::vector<Value<T>>> by_output(body.outputs.size());
    for (std::int64_t b = 0; b < values.front().shape().at(0); ++b) {
      std::vector<Value<T>> entry;
      for (const Value<T>& value : values) entry.push_back(slice_of(value, 0, b));
      const auto once = scan_once(call, body, plan, std::move(entry));
      for (std::size_t i = 0; i < once.size(); ++i) by_output[i].push_back(once[i]);
    }
    for (std::size_t i = 0; i < by_output.size(); ++i) results.push_back(stacked(call, by_output[i], 0, false, body.outputs[i]));
  }
  for (std::size_t i = 0; i < call.node().outputs.size() && i < results.size(); ++i) call.put(i, results[i]);
});

}  // namespace
}  // namespace assay::oracle
