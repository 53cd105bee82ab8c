// SPDX-License-Identifier: Apache-2.0
// Each output by itself must tell a kernel that computes from one that does not, whatever the outputs beside it show.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "assay/oracle/storage.h"
#include "rules.h"

namespace assay::admission {
namespace {

using cases::Bytes, cases::ExpectedTensor, cases::PreparedCase;
using spec::ElementType, spec::TensorSpec;

/// Of the elements of an output, on the average of its cases.
constexpr double kMostOfOneValue = 0.95, kMostSaturated = 0.75, kLeastJudged = 0.5;
/// Fewer elements say nothing of how they are distributed.
constexpr std::size_t kFewElements = 16;

const std::vector<TensorSpec>& outputs_of(const Evidence& evidence) { return evidence.task.model.outputs; }

std::size_t count_of(const PreparedCase& prepared, std::size_t output) {
  return static_cast<std::size_t>(spec::element_count(prepared.outputs[output].shape));
}

Outputs with_output(const Outputs& right, std::size_t output, Bytes bytes) {
  Outputs changed = right;
  changed[output] = std::move(bytes);
  return changed;
}

/// Whether the output is a single number whatever the dimensions are.
bool is_single(const TensorSpec& output) {
  return std::ranges::all_of(output.shape, [](const spec::Dim& dim) { return !dim.symbolic() && dim.value == 1; });
}

std::optional<Outputs> first_everywhere(const Subject& subject, std::size_t output) {
  if (count_of(subject.prepared, output) < 2) return {};
  Bytes bytes = subject.right[output];
  const std::size_t size = spec::size_of(subject.prepared.outputs[output].type);
  for (std::size_t at = size; at < bytes.size(); at += size) std::memcpy(bytes.data() + at, bytes.data(), size);
  return with_output(subject.right, output, std::move(bytes));
}

std::vector<double> numbers_of(const ExpectedTensor& tensor, const Bytes& bytes) {
  const oracle::Value<double> value = oracle::load_value<double>(tensor.type, tensor.shape, bytes.data());
  return std::visit([](const auto& elements) { return std::vector<double>(elements.begin(), elements.end()); }, value.elements);
}

/// The element that stands in most places, and how many; any NaN is one value.
std::pair<double, std::size_t> most_frequent(const std::vector<double>& numbers) {
  std::unordered_map<double, std::size_t> counts;
  std::pair<double, std::size_t> most{std::nan(""), 0};
  for (const double x : numbers) {
    if (std::isnan(x)) ++most.second;
    else ++counts[x];
  }
  for (const auto& [x, count] : counts)
    if (count > most.second) most = {x, count};
  return most;
}

/// Whether `x` is an end of what an integer type holds, or beyond what a real one does.
bool is_saturated(double x, ElementType type) {
  switch (type) {
    case ElementType::i8: return x == -128 || x == 127;
    case ElementType::u8: return x == 255;
    case ElementType::i16: return x == -32768 || x == 32767;
    case ElementType::u16: return x == 65535;
    default: return !std::isfinite(x);
  }
}

/// Elements that may be any number of the size of the output's largest: errors leave them open.
std::size_t count_open(const ExpectedTensor& tensor) {
  if (tensor.values.empty()) return 0;
  double largest = 0;
  for (const double x : tensor.values) largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : largest;
  const cases::Precision precision = cases::precision_of(tensor.type);
  std::size_t open = 0;
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    const double allowed = tensor.max_bound * precision.roundoff * tensor.scales[i] + tensor.slack_at(i);
    open += std::isinf(tensor.scales[i]) || (std::isfinite(tensor.values[i]) && largest > 0 && allowed >= largest) ? 1 : 0;
  }
  return open;
}

struct Shares {
  double frequent = 0, saturated = 0, judged = 0;  ///< means over the cases
  double value = 0;                                ///< the most frequent one of the last case that shows one
  std::size_t cases = 0;
};

Shares shares_of(const Evidence& evidence, std::size_t output) {
  Shares shares;
  for (const DrawnCase& drawn : evidence.cases) {
    const ExpectedTensor& tensor = drawn.prepared.outputs[output];
    const auto count = static_cast<double>(count_of(drawn.prepared, output));
    if (count < kFewElements) continue;
    const std::vector<double> numbers = numbers_of(tensor, drawn.right[output]);
    const auto [value, times] = most_frequent(numbers);
    const auto saturated = std::ranges::count_if(numbers, [&](double x) { return is_saturated(x, tensor.type); });
    shares.frequent += static_cast<double>(times) / count;
    shares.saturated += static_cast<double>(saturated) / count;
    shares.judged += 1 - static_cast<double>(count_open(tensor)) / count;
    if (2 * times > numbers.size()) shares.value = value;
    ++shares.cases;
  }
  if (shares.cases == 0) return shares;
  for (double* share : {&shares.frequent, &shares.saturated, &shares.judged}) *share /= static_cast<double>(shares.cases);
  return shares;
}

}  // namespace

void outputs_vary(const Evidence& evidence, std::vector<Finding>& found) {
  for (std::size_t o = 0; o < outputs_of(evidence).size(); ++o) {
    const TensorSpec& output = outputs_of(evidence)[o];
    if (is_single(output)) continue;
    const Noticed noticed = most_noticed(evidence, [o](const Subject& subject, std::size_t) { return first_everywhere(subject, o); });
    if (noticed == Noticed::rejected) continue;
    const std::string got = noticed == Noticed::untried
                                ? "has a single element in every case. do: add larger cases"
                                : "one number in all elements passes. do: draw inputs that give it different elements";
    found.push_back({fmt::format("first element everywhere in output '{}'", output.name), got, Finding::Excuse::degenerate});
  }
}

void outputs_follow_inputs(const Evidence& evidence, std::vector<Finding>& found) {
  for (std::size_t o = 0; o < outputs_of(evidence).size(); ++o) {
    const Noticed noticed = most_noticed(evidence, [&](const Subject& subject, std::size_t) -> std::optional<Outputs> {
      // A case's other draw is left out where it gives other shapes: that shows by itself.
      if (subject.stale == nullptr) return declared_case(evidence, subject.prepared) ? std::optional(Outputs{}) : std::nullopt;
      return with_output(subject.right, o, (*subject.stale)[o]);
    });
    if (noticed == Noticed::rejected || noticed == Noticed::untried) continue;
    found.push_back({fmt::format("output '{}' stale", outputs_of(evidence)[o].name),
                     "what it was for other inputs passes in all cases. do: draw inputs that change it, or leave it out of the model",
                     Finding::Excuse::degenerate});
  }
}

void outputs_are_no_copies(const Evidence& evidence, std::vector<Finding>& found) {
  const auto& specs = evidence.task.model;
  const auto refuse_copy = [&](std::size_t output, const TensorSpec& of, const char* kind, auto&& bytes_of) {
    if (of.type != specs.outputs[output].type) return;
    bool everywhere = true;
    const Noticed noticed = most_noticed(evidence, [&](const Subject& subject, std::size_t number) -> std::optional<Outputs> {
      const Bytes& bytes = bytes_of(subject, number);
      everywhere = everywhere && bytes.size() == subject.right[output].size();
      if (!everywhere) return {};
      return with_output(subject.right, output, bytes);
    });
    if (noticed == Noticed::rejected || noticed == Noticed::untried || !everywhere) return;
    found.push_back({fmt::format("output '{}' copied from {} '{}'", specs.outputs[output].name, kind, of.name),
                     "a copy passes in all cases. do: draw inputs on which the model does more, or leave the output out",
                     Finding::Excuse::degenerate});
  };
  for (std::size_t o = 0; o < specs.outputs.size(); ++o) {
    for (std::size_t i = 0; i < specs.inputs.size(); ++i)
      refuse_copy(o, specs.inputs[i], "input",
                  [i](const Subject& subject, std::size_t) -> const Bytes& { return subject.prepared.inputs[i]; });
    for (std::size_t p = 0; p < o; ++p)
      refuse_copy(o, specs.outputs[p], "output", [p](const Subject& subject, std::size_t) -> const Bytes& { return subject.right[p]; });
  }
}

void outputs_take_many_values(const Evidence& evidence, std::vector<Finding>& found) {
  for (std::size_t o = 0; o < outputs_of(evidence).size(); ++o) {
    const TensorSpec& output = outputs_of(evidence)[o];
    const Shares shares = shares_of(evidence, o);
    if (shares.cases == 0) continue;
    if (shares.frequent > kMostOfOneValue)
      found.push_back({fmt::format("output '{}' mostly one value", output.name),
                       fmt::format("{:.1f} % of its elements are {:g}, at most {:g} % may be one value. do: draw inputs that spread it",
                                   100 * shares.frequent, shares.value, 100 * kMostOfOneValue),
                       Finding::Excuse::waiver});
    if (shares.saturated > kMostSaturated)
      found.push_back({fmt::format("output '{}' saturated", output.name),
                       fmt::format("{:.1f} % of its elements are at an end of what {} holds, or beyond it; at most {:g} % may be. do: draw "
                                   "inputs whose results fit",
                                   100 * shares.saturated, spec::info(output.type).onnx_name, 100 * kMostSaturated),
                       Finding::Excuse::waiver});
  }
}

void outputs_are_judged(const Evidence& evidence, std::vector<Finding>& found) {
  for (std::size_t o = 0; o < outputs_of(evidence).size(); ++o) {
    const Shares shares = shares_of(evidence, o);
    if (shares.cases == 0 || shares.judged >= kLeastJudged) continue;
    found.push_back({fmt::format("output '{}' not judged", outputs_of(evidence)[o].name),
                     fmt::format("any value passes for {:.1f} % of its elements, since errors leave them open; at most {:g} % may be. "
                                 "do: draw inputs on which the model is well conditioned",
                                 100 * (1 - shares.judged), 100 * (1 - kLeastJudged)),
                     Finding::Excuse::none});
  }
}

void outputs_have_elements(const Evidence& evidence, std::vector<Finding>& found) {
  const std::size_t all = evidence.cases.size();
  for (std::size_t o = 0; o < outputs_of(evidence).size(); ++o) {
    const auto empty = static_cast<std::size_t>(
        std::ranges::count_if(evidence.cases, [o](const DrawnCase& drawn) { return count_of(drawn.prepared, o) == 0; }));
    if (2 * empty <= all) continue;
    found.push_back({fmt::format("output '{}' empty", outputs_of(evidence)[o].name),
                     fmt::format("it has no element in {} of {} cases, at most half may be so. do: draw inputs that fill it", empty, all),
                     Finding::Excuse::none});
  }
}

}  // namespace assay::admission
