// SPDX-License-Identifier: Apache-2.0
// Another draw of an input, or of half of it, must show in some case whose inputs are finite: a value that matters only beside a NaN
// is one that kernels may ignore.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rules.h"

namespace assay::admission {
namespace {

using cases::Bytes, cases::draw_inputs, cases::PreparedCase;

bool all_finite(const std::vector<Value<double>>& values) {
  return std::ranges::all_of(values, [](const Value<double>& value) {
    const auto* reals = std::get_if<Tensor<double>>(&value.elements);
    return reals == nullptr || std::all_of(reals->begin(), reals->end(), [](double x) { return std::isfinite(x); });
  });
}

/// The inputs of each case, drawn a second time; empty for a case that has none or is not finite.
std::vector<std::vector<Bytes>> second_draws(const Evidence& evidence) {
  std::vector<std::vector<Bytes>> draws;
  for (std::size_t c = 0; c < evidence.file.cases.size(); ++c) {
    const PreparedCase& prepared = evidence.file.cases[c];
    draws.emplace_back();
    const Case* entry = declared_case(evidence, prepared);
    const Subject subject{evidence.task, prepared, evidence.right[c], nullptr, evidence.file.seed};
    if (entry == nullptr || !all_finite(inputs_of(subject))) continue;
    draws.back() = draw_inputs(evidence.task, entry->inputs, prepared.dims, evidence.file.seed.derived("redrawn"), prepared.name);
  }
  return draws;
}

struct Half {
  std::size_t axis;
  bool second;
};

/// Takes `half` of `from` over into `into`, two tensors of `shape`; false where an axis of one element has no halves.
bool take_half(Bytes& into, const Bytes& from, const Shape& shape, const Half& half) {
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
  const auto shapes = concrete_shapes(specs, subject.prepared.dims);
  std::vector<Bytes> inputs = subject.prepared.inputs;
  if (!half) inputs[i] = draw[i];
  else if (!take_half(inputs[i], draw[i], shapes[i], *half)) return {};
  return outputs_of(subject.task.model, subject, cases::as_values<double>(specs, shapes, inputs));
}

}  // namespace

void inputs_are_read(const Evidence& evidence, std::vector<Finding>& found) {
  const auto draws = second_draws(evidence);
  for (std::size_t i = 0; i < evidence.task.model.inputs.size(); ++i) {
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
  for (std::size_t i = 0; i < evidence.task.model.inputs.size(); ++i) {
    const TensorSpec& input = evidence.task.model.inputs[i];
    for (std::size_t axis = 0; axis < input.shape.size(); ++axis)
      for (const bool second : {false, true}) {
        const Noticed noticed = most_noticed(evidence, [&](const Subject& subject, std::size_t number) {
          return redrawn(subject, draws[number], i, Half{axis, second});
        });
        if (noticed == Noticed::rejected || noticed == Noticed::untried) continue;
        const std::string name = fmt::format("{} half of input '{}' along axis {} redrawn", second ? "second" : "first", input.name, axis);
        found.push_back({name,
                         noticed == Noticed::accepted ? "passes in all cases. do: make inputs and model such that all of the input matters"
                                                      : "no case reads it. do: make the input as large as what is read of it",
                         Finding::Excuse::waiver});
      }
  }
}

}  // namespace assay::admission
