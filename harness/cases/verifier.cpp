// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/oracle/storage.h"
#include "assay/oracle/task_library.h"
#include "verify_in_child.h"

namespace assay::cases {
namespace {

using oracle::HarnessTensor, oracle::Value, oracle::store_value;

std::vector<HarnessTensor> inputs_of(const PreparedCase& prepared, const std::vector<spec::TensorSpec>& specs) {
  const std::vector<spec::Shape> shapes = spec::concrete_shapes(specs, prepared.dims);
  std::vector<HarnessTensor> tensors;
  for (std::size_t i = 0; i < specs.size(); ++i)
    tensors.push_back(oracle::harness_tensor(specs[i], shapes[i], prepared.inputs.at(i).data()));
  return tensors;
}

std::vector<HarnessTensor> outputs_of(const PreparedCase& prepared, const std::vector<Bytes>& outputs) {
  std::vector<HarnessTensor> tensors;
  for (std::size_t o = 0; o < prepared.outputs.size(); ++o) {
    const ExpectedTensor& output = prepared.outputs[o];
    tensors.push_back(oracle::harness_tensor({output.name, output.type, {}}, output.shape, outputs.at(o).data()));
  }
  return tensors;
}

/// The first number that is none; empty where all are.
std::string not_finite(const PreparedCase& prepared, const std::vector<HarnessTensor>& outputs) {
  for (const HarnessTensor& output : outputs) {
    const auto count = output.is_real ? static_cast<std::size_t>(spec::element_count(output.shape)) : 0;
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(output.reals[i]))
        return fmt::format("{}: {}[{}] (row-major): got {}, and every number of a right output is finite", prepared.name, output.name, i,
                           output.reals[i]);
  }
  return {};
}

/// What is wrong with the residuals themselves; empty where nothing is.
std::string faults(const std::vector<Residual>& residuals) {
  if (residuals.empty()) return "named no residual";
  for (const Residual& residual : residuals)
    if (std::isnan(residual.value) || !(residual.bound >= 0) || std::isinf(residual.bound))
      return fmt::format("gave residual '{}' as {}, its bound as {}", residual.name, residual.value, residual.bound);
  return {};
}

/// The part of its bound that a residual takes.
double share_of_bound(const Residual& residual) {
  return residual.bound > 0 ? residual.value / residual.bound : residual.value > 0 ? std::numeric_limits<double>::infinity() : 0;
}

Comparison compared(const PreparedCase& prepared, const std::vector<Residual>& residuals) {
  const auto worst = std::ranges::max_element(residuals, {}, share_of_bound);
  Comparison result;
  result.accepted = worst->value <= worst->bound;
  result.scaled = worst->value;
  result.bound = worst->bound;
  result.where = fmt::format("{}: residual '{}'", prepared.name, worst->name);
  if (!result.accepted) result.detail = fmt::format("{} is {:.3g}, at most {:.3g} is right", result.where, worst->value, worst->bound);
  return result;
}

Comparison refused(std::string detail) {
  Comparison result;
  result.accepted = false;
  result.where = detail.substr(0, detail.find(':'));
  result.detail = std::move(detail);
  return result;
}

}  // namespace

std::vector<Bytes> right_outputs(const PreparedCase& prepared) {
  std::vector<Bytes> outputs;
  for (const ExpectedTensor& tensor : prepared.outputs) {
    outputs.emplace_back(tensor.bytes());
    if (spec::is_real(tensor.type)) {
      oracle::Tensor<double> reals(tensor.shape);
      std::ranges::copy(tensor.values, reals.begin());
      store_value(Value<double>{tensor.type, reals}, tensor.type, outputs.back().data());
    } else {
      oracle::Integers integers(tensor.shape);
      std::ranges::copy(tensor.exact, integers.begin());
      store_value(Value<double>{tensor.type, integers}, tensor.type, outputs.back().data());
    }
  }
  return outputs;
}

std::shared_ptr<const Verifier> Verifier::of(const spec::Task& task) {
  if (!task.harness.verify) return nullptr;
  std::shared_ptr<Verifier> verifier(new Verifier);
  verifier->file_ = (task.harness.folder / "verify.cpp").string();
  verifier->library_ = task.harness.library.string();
  verifier->inputs_ = task.model.inputs;
  return verifier;
}

Verification Verifier::ask(const PreparedCase& prepared, const std::vector<Bytes>& outputs) const {
  if (library_.empty())
    throw std::runtime_error(fmt::format("{}: nobody says where its library is. do: build it, and name the build folder (--build)", file_));
  const oracle::HarnessEntry entry = oracle::harness_entry(library_, "assay_verify");
  if (entry == nullptr)
    throw std::runtime_error(fmt::format("{}: defines no verify. do: write ASSAY_VERIFY(inputs, outputs, residuals) {{ ... }}", file_));
  std::vector<HarnessTensor> in = inputs_of(prepared, inputs_), out = outputs_of(prepared, outputs);
  Verification said = verify_in_child(entry, in, out);
  if (said.failure.empty() && said.refused.empty()) said.failure = faults(said.residuals);
  return said;
}

Comparison Verifier::judge(const PreparedCase& prepared, const std::vector<Bytes>& outputs) const {
  if (std::string wrong = not_finite(prepared, outputs_of(prepared, outputs)); !wrong.empty()) return refused(std::move(wrong));
  const Verification said = ask(prepared, outputs);
  if (!said.failure.empty()) {
    const Verification right = ask(prepared, right_outputs(prepared));
    if (!right.failure.empty())
      throw std::runtime_error(fmt::format("{}: case '{}': {} on right outputs. do: mend it", file_, prepared.name, right.failure));
    Comparison result = refused(fmt::format("{}: not to be verified, as right outputs are: verify.cpp {}", prepared.name, said.failure));
    result.unverifiable = said.failure;
    return result;
  }
  if (!said.refused.empty()) return refused(fmt::format("{}: {}", prepared.name, said.refused));
  return compared(prepared, said.residuals);
}

std::optional<std::vector<Bytes>> Verifier::another(const PreparedCase& prepared) const {
  const oracle::HarnessEntry entry = oracle::harness_entry(library_, "assay_another");
  if (entry == nullptr) return {};
  std::vector<Bytes> changed = right_outputs(prepared);
  std::vector<HarnessTensor> in = inputs_of(prepared, inputs_), out = outputs_of(prepared, changed);
  oracle::call_harness(entry, in, out);
  for (std::size_t o = 0; o < out.size(); ++o) {
    const ExpectedTensor& tensor = prepared.outputs[o];
    if (out[o].is_real)
      store_value(Value<double>{tensor.type, oracle::Tensor<double>(tensor.shape, out[o].reals.data())}, tensor.type, changed[o].data());
    else store_value(Value<double>{tensor.type, oracle::Integers(tensor.shape, out[o].integers.data())}, tensor.type, changed[o].data());
  }
  return changed;
}

}  // namespace assay::cases
