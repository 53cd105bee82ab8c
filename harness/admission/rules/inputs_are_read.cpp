// SPDX-License-Identifier: Apache-2.0
// Another draw of an input, or of half of it, must show in some case whose inputs are finite: a value that matters only beside a NaN
// is one that kernels may ignore.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "rules.h"

namespace assay::admission {
namespace {

using cases::Bytes, cases::draw_inputs, cases::PreparedCase;

bool all_finite(const std::vector<oracle::Value<double>>& values) {
  return std::ranges::all_of(values, [](const oracle::Value<double>& value) {
    const auto* reals = std::get_if<oracle::Tensor<double>>(&value.elements);
    return reals == nullptr || std::all_of(reals->begin(), reals->end(), [](double x) { return std::isfinite(x); });
  });
}

/// The inputs of each case, drawn a second time; empty for a case that has none or is not finite.
std::vector<std::vector<Bytes>> second_draws(const Evidence& evidence) {
  std::vector<std::vector<Bytes>> draws;
  for (const DrawnCase& drawn : evidence.cases) {
    const PreparedCase& prepared = drawn.prepared;
    draws.emplace_back();
    const spec::Case* entry = declared_case(evidence, prepared);
    if (entry == nullptr || !all_finite(drawn.run->inputs())) continue;
    draws.back() = draw_inputs(evidence.task, entry->inputs, prepared.dims, evidence.seed.derived("redrawn"), prepared.name);
  }
  return draws;
}

struct Half {
  std::size_t axis;
  bool second;
};

/// Takes `half` of `from` over into `into`, two tensors of `shape`; false where an axis of one element has no halves.
bool take_half(Bytes& into, const Bytes& from, const spec::Shape& shape, const Half& half) {
  const auto extent = static_cast<std::size_t>(shape[half.axis]);
  if (extent < 2 || into.empty()) return false;
  const std::size_t begin = half.second ? (extent + 1) / 2 : 0, end = half.second ? extent : extent / 2;
  std::size_t outer = 1;
  for (std::size_t d = 0; d < half.axis; ++d) outer *= static_cast<std::size_t>(shape[d]);
  const std::size_t slice = into.size() / outer / extent;
  for (std::size_t o = 0; o < outer; ++o) {
    const std::size_t at = (o * extent + begin) * slice;
    std::memcpy(into.data() + at, from.data() + at, (end - begin) * slice);
  }
  return true;
}

/// The outputs where input `i`, or `half` of it, is that of `draw`.
std::optional<Outputs> redrawn(const Subject& subject, const std::vector<Bytes>& draw, std::size_t i, const std::optional<Half>& half) {
  if (draw.empty()) return {};
  const auto& specs = subject.task.model.inputs;
  const auto shapes = spec::concrete_shapes(specs, subject.prepared.dims);
  std::vector<Bytes> inputs = subject.prepared.inputs;
  if (!half) inputs[i] = draw[i];
  else if (!take_half(inputs[i], draw[i], shapes[i], *half)) return {};
  return outputs_of(subject.task.model, subject, cases::as_values<double>(specs, shapes, inputs));
}

}  // namespace

void inputs_are_read(const Evidence& evidence, std::vector<Finding>& found) {
  const auto draws = second_draws(evidence);
  std::vector<std::size_t> inputs(evidence.task.model.inputs.size());
  std::iota(inputs.begin(), inputs.end(), std::size_t{0});
  for (const std::size_t i : spread(inputs, evidence.task.model)) {
    const Noticed noticed =
        most_noticed(evidence, [&](const Subject& subject, std::size_t number) { return redrawn(subject, draws[number], i, {}); });
    if (noticed == Noticed::rejected) continue;
    const std::string& name = evidence.task.model.inputs[i].name;
    found.push_back({fmt::format("input '{}' redrawn", name),
                     fmt::format("another draw of '{}' {}. do: draw it so that it differs and matters, or leave it out of the model", name,
                                 noticed == Noticed::accepted ? "passes for the first in all cases" : "has no effect in any case"),
                     Finding::Excuse::degenerate});
  }
}

void parts_are_read(const Evidence& evidence, std::vector<Finding>& found) {
  const auto draws = second_draws(evidence);
  std::vector<std::pair<std::size_t, Half>> parts;
  for (std::size_t i = 0; i < evidence.task.model.inputs.size(); ++i)
    for (std::size_t axis = 0; axis < evidence.task.model.inputs[i].shape.size(); ++axis)
      for (const bool second : {false, true}) parts.push_back({i, Half{axis, second}});
  for (const auto& [i, half] : spread(parts, evidence.task.model)) {
    const auto redraw = [&, i = i, half = half](const Subject& subject, std::size_t number) {
      return redrawn(subject, draws[number], i, half);
    };
    const Noticed noticed = most_noticed(evidence, redraw);
    if (noticed == Noticed::rejected || noticed == Noticed::untried) continue;
    found.push_back({fmt::format("{} half of input '{}' along axis {} redrawn", half.second ? "second" : "first",
                                 evidence.task.model.inputs[i].name, half.axis),
                     noticed == Noticed::accepted ? "passes in all cases. do: make inputs and model such that all of the input matters"
                                                  : "no case reads it. do: make the input as large as what is read of it",
                     Finding::Excuse::waiver});
  }
}

}  // namespace assay::admission
