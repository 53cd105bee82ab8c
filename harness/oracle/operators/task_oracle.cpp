// SPDX-License-Identifier: Apache-2.0
// assay.TaskOracle: what a task's harness/oracle.cpp computes, in float64 whatever the evaluation's scalar is. Attributes, which the
// reader of task.yaml gives it: `signature`, a graph whose inputs are the task's inputs, then its outputs; `extents`, those of the
// outputs, one output's after another's; `library`, what oracle.cpp has become.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/oracle/evaluate.h"
#include "assay/oracle/task_library.h"
#include "assay/spec/task.h"
#include "elementwise.h"

namespace assay::oracle {
namespace {

constexpr int kDraws = 4;  ///< of roundings of the inputs

using Tensors = std::vector<HarnessTensor>;

double number(double x) { return x; }
double number(float x) { return static_cast<double>(x); }
double number(const Bounded& x) { return x.value; }

template <class T>
HarnessTensor copied(const spec::TensorSpec& spec, const Value<T>& value) {
  HarnessTensor tensor = harness_tensor(spec, value.shape());
  std::visit(
      [&](const auto& from) {
        for (std::size_t i = 0; i < from.size(); ++i) {
          if constexpr (std::is_same_v<std::decay_t<decltype(from)>, Tensor<T>>) tensor.reals[i] = number(from[i]);
          else tensor.integers[i] = static_cast<std::int64_t>(from[i]);
        }
      },
      value.elements);
  return tensor;
}

/// Each real off by at most one rounding to float32.
Tensors rounded_anew(Tensors inputs, std::uint64_t draw) {
  std::uint64_t state = 0x9e3779b97f4a7c15 * (draw + 1);
  for (HarnessTensor& input : inputs)
    for (double& x : input.reals) {
      state = state * 6364136223846793005 + 1442695040888963407;
      if (std::isfinite(x)) x *= 1 + 0x1p-24 * (static_cast<double>(state >> 40) * 0x1p-23 - 1);
    }
  return inputs;
}

/// Scales that oracle.cpp has not written: |y|, and how far roundings of the inputs move y.
void fill_scales(HarnessEntry entry, const Tensors& inputs, const Tensors& blank, Tensors& outputs) {
  const auto missing = [](const HarnessTensor& output) {
    return std::ranges::any_of(output.scales, [](double s) { return std::isnan(s); });
  };
  if (std::ranges::none_of(outputs, missing)) return;
  Tensors moved(outputs.size());
  for (std::size_t o = 0; o < outputs.size(); ++o) moved[o].reals.assign(outputs[o].reals.size(), 0);
  for (int draw = 0; draw < kDraws; ++draw) {
    Tensors near = rounded_anew(inputs, static_cast<std::uint64_t>(draw)), there = blank;
    call_harness(entry, near, there);
    for (std::size_t o = 0; o < outputs.size(); ++o)
      for (std::size_t i = 0; i < outputs[o].reals.size(); ++i)
        if (const double distance = std::abs(there[o].reals[i] - outputs[o].reals[i]); std::isfinite(distance))
          moved[o].reals[i] = std::max(moved[o].reals[i], distance);
  }
  for (std::size_t o = 0; o < outputs.size(); ++o)
    for (std::size_t i = 0; i < outputs[o].scales.size(); ++i)
      if (double& scale = outputs[o].scales[i]; std::isnan(scale)) scale = std::abs(outputs[o].reals[i]) + 0x1p24 * moved[o].reals[i];
}

template <class T>
void write(Call<T>& call, std::size_t index, const spec::TensorSpec& spec, const HarnessTensor& from) {
  switch (info(spec.type).element_class) {
    case ElementClass::real: {
      Tensor<T>& to = call.template output<T>(index, from.shape, spec.type);
      for (std::size_t i = 0; i < to.size(); ++i) {
        if constexpr (std::is_same_v<T, Bounded>) to[i] = {from.reals[i], from.scales[i]};
        else to[i] = static_cast<T>(from.reals[i]);
      }
      return;
    }
    case ElementClass::integer:
      std::copy_n(from.integers.begin(), element_count(from.shape), call.integers_out(index, from.shape, spec.type).begin());
      return;
    case ElementClass::boolean:
      std::transform(from.integers.begin(), from.integers.begin() + element_count(from.shape), call.booleans_out(index, from.shape).begin(),
                     [](std::int64_t x) { return static_cast<std::uint8_t>(x != 0); });
  }
}

template <class T>
void evaluate_oracle(Call<T>& call) {
  const Graph& signature = call.graph("signature");
  const std::string library = call.text("library");
  call.require(!library.empty(),
               "nobody says where the library of harness/oracle.cpp is. do: build it, and name the build folder (--build)");
  const std::size_t inputs = call.input_count();
  const std::vector<spec::TensorSpec> given(signature.inputs.begin(), signature.inputs.begin() + static_cast<std::ptrdiff_t>(inputs));
  Tensors in, blank;
  for (std::size_t i = 0; i < inputs; ++i) in.push_back(copied(given[i], call.input(i)));
  const std::vector<spec::TensorSpec> wanted(signature.inputs.begin() + static_cast<std::ptrdiff_t>(inputs), signature.inputs.end());
  const std::vector<std::int64_t> extents = call.integer_list("extents");
  auto extent = extents.begin();
  for (const spec::TensorSpec& output : wanted) {
    const auto first = std::exchange(extent, extent + static_cast<std::ptrdiff_t>(output.shape.size()));
    blank.push_back(harness_tensor(output, Shape(first, extent)));
    if (blank.back().is_real) blank.back().scales.assign(blank.back().reals.size(), std::numeric_limits<double>::quiet_NaN());
  }
  Tensors out = blank;
  try {
    const HarnessEntry entry = harness_entry(library, "assay_oracle");
    call.require(entry != nullptr, "harness/oracle.cpp defines no oracle. do: write ASSAY_ORACLE(inputs, outputs) { ... }");
    call_harness(entry, in, out);
    if constexpr (std::is_same_v<T, Bounded>) {
      left_integers = true;
      fill_scales(entry, in, blank, out);
    }
  } catch (const OperatorError&) {
    throw;
  } catch (const std::runtime_error& error) {
    call.fail(std::string("harness/oracle.cpp ") + error.what());
  }
  for (std::size_t o = 0; o < wanted.size(); ++o) write(call, o, wanted[o], out[o]);
}

const bool defined = define({.name = "TaskOracle", .specials = Specials::finite, .domain = "assay", .transforms = true},
                            [](auto& call) { evaluate_oracle(call); });

}  // namespace
}  // namespace assay::oracle
