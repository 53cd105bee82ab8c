// SPDX-License-Identifier: Apache-2.0
// Ways of being wrong: what a kernel that skips, confuses or approximates something leaves in the outputs.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "assay/cases/expected.h"
#include "assay/cases/verifier.h"
#include "recorded_run.h"

namespace assay::admission {

using Outputs = std::vector<cases::Bytes>;

struct Subject {
  const spec::Task& task;
  const cases::PreparedCase& prepared;
  const Outputs& right;  ///< the model's in float64, as a kernel stores them
  const Outputs* stale;  ///< right for other inputs of the same shapes; nullptr where there are none
  cases::Seed seed;
  const RecordedRun& run;  ///< the model on the case's inputs
};

struct Alteration {
  std::string name;
  /// The altered outputs; nothing where it does not apply to the case; an empty list where their shapes are others.
  std::function<std::optional<Outputs>(const Subject&)> apply;
  bool required = false;       ///< it must change something in some case
  bool may_be_waived = false;  ///< a task may say why it cannot be caught
  bool keeps_numbers = false;  ///< in other places or of the other sign: where verify.cpp judges, this may be as right
};

using cases::right_outputs;

/// Of the outputs, whatever the model is: missing tiles, shifted elements, NaN, ...
inline constexpr const char* kOffByBounds = "one element off by four bounds";
std::vector<Alteration> output_alterations();
/// Beside them where verify.cpp judges, which knows no bounds of elements: small errors, and numbers that nobody expects.
std::vector<Alteration> verified_alterations();
/// Of inputs and arithmetic: lower precision, an ignored or transposed input.
std::vector<Alteration> input_alterations(const spec::Task& task);
/// Of the model: eps omitted, a constant off by one per cent, a biased mean, a skipped operator.
std::vector<Alteration> model_alterations(const spec::Task& task);

/// The outputs of `model` on `inputs`, in float64; nothing where it cannot be evaluated or gives other types; an empty list
/// where it gives other shapes: no kernel that computes them fills the buffers that it gets.
std::optional<Outputs> outputs_of(const spec::Graph& model, const Subject& subject, const std::vector<oracle::Value<double>>& inputs);
/// Outputs of the case's shapes as their types store them.
Outputs stored(const std::vector<oracle::Value<double>>& values, const cases::PreparedCase& prepared);
std::vector<oracle::Value<double>> inputs_of(const cases::PreparedCase& prepared, const spec::Task& task);

/// Of a large model some alterations of each kind are tried, spread evenly: which ones does not depend on the seed.
template <class T>
std::vector<T> spread(const std::vector<T>& all, const spec::Graph& model) {
  const std::size_t most = std::clamp<std::size_t>(6400 / (model.nodes.size() + 1), 8, 64), count = std::min(all.size(), most);
  std::vector<T> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
  return some;
}

}  // namespace assay::admission
