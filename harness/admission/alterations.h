// SPDX-License-Identifier: Apache-2.0
// Ways of being wrong: what a kernel that skips, confuses or approximates something leaves in the outputs.
#pragma once

#include <functional>
#include <optional>

#include "assay/cases/expected.h"

namespace assay::admission {

using Outputs = std::vector<cases::Bytes>;

struct Subject {
  const Task& task;
  const cases::PreparedCase& prepared;
  const Outputs& right;  ///< the oracle's, as a kernel stores them
  const Outputs* stale;  ///< right for other inputs of the same shapes; nullptr where there are none
  cases::Seed seed;
};

struct Alteration {
  std::string name;
  /// The altered outputs; nothing where it does not apply to the case; an empty list where their shapes are others.
  std::function<std::optional<Outputs>(const Subject&)> apply;
  bool required = false;       ///< it must change something in some case
  bool may_be_waived = false;  ///< a task may say why it cannot be caught
};

/// The oracle's outputs of `prepared`, as its types store them.
Outputs right_outputs(const cases::PreparedCase& prepared);

/// Of the outputs, whatever the model is: missing tiles, shifted elements, NaN, ...
std::vector<Alteration> output_alterations();
/// Of inputs and arithmetic: lower precision, an ignored or transposed input.
std::vector<Alteration> input_alterations(const Task& task);
/// Of the model: eps omitted, a constant off by one per cent, a biased mean, a skipped operator.
std::vector<Alteration> model_alterations(const Task& task);

/// The outputs of `model` on `inputs`, in float64; nothing where it cannot be evaluated or gives other types; an empty list
/// where it gives other shapes: no kernel that computes them fills the buffers that it gets.
std::optional<Outputs> outputs_of(const Graph& model, const Subject& subject, const std::vector<Value<double>>& inputs);
std::vector<Value<double>> inputs_of(const Subject& subject);

}  // namespace assay::admission
