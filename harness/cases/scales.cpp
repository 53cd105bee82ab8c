// SPDX-License-Identifier: Apache-2.0
#include "scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "assay/oracle/rounding.h"
#include "assay/oracle/storage.h"
#include "assay/spec/half.h"

namespace assay::cases {
namespace {

using oracle::Bounded, oracle::Evaluation, oracle::Tensor, oracle::Value;

constexpr int kJittered = 4;          ///< evaluations beside the one without jitter
constexpr double kJitter = 2;         ///< units in the last place
constexpr double kWorstUnits = 4;     ///< of a calibrated scale, that honest evaluations are off by: bounds are at least four times that
constexpr double kOverestimate = 16;  ///< of the analysis, from which on it is calibrated

const Tensor<Bounded>* reals_of(const Value<Bounded>& value) { return std::get_if<Tensor<Bounded>>(&value.elements); }

bool is_half(spec::ElementType type) { return type == spec::ElementType::f16 || type == spec::ElementType::bf16; }

/// Whether every honest evaluation gives the same.
bool is_exact(const Value<Bounded>& value) {
  const Tensor<Bounded>* reals = reals_of(value);
  return value.open.empty() &&
         (reals == nullptr || std::ranges::all_of(*reals, [](const Bounded& x) { return x.error == 0 && std::isfinite(x.value); }));
}

struct Norms {
  double values, errors;
};

/// Of what is finite; in lanes, so that they take vectors.
Norms norms(const Tensor<Bounded>& reals) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  std::array<double, 16> values{}, errors{};
  const Bounded* x = reals.data();
  const auto square = [](double part) { return std::abs(part) <= kLargest ? part * part : 0; };
  const auto add = [&](std::size_t lane, std::size_t i) { values[lane] += square(x[i].value), errors[lane] += square(x[i].error); };
  std::size_t i = 0;
  for (; i + values.size() <= reals.size(); i += values.size())
    for (std::size_t lane = 0; lane < values.size(); ++lane) add(lane, i + lane);
  for (; i < reals.size(); ++i) add(0, i);
  const auto root = [](const auto& squares) { return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0)); };
  return {root(values), root(errors)};
}

/// Whether one unit of the scales is so large, beside the numbers, that bounds in such units say little.
bool is_exhausted(const Value<Bounded>& value, bool halves) {
  const Tensor<Bounded>* reals = reals_of(value);
  if (reals == nullptr) return false;
  const double enough = halves && is_half(value.type) ? 0x1p-2 : 0x1p-12;
  const Norms all = norms(*reals);
  return all.errors * oracle::kRoundoff > enough * all.values;
}

/// A number of 64 bits for each place of each draw (SplitMix64): nobody gains by knowing them.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// The largest error of `honest` in units of its scale; nothing where the two cannot be compared.
std::optional<double> worst_units(const Tensor<Bounded>& scaled, const Value<float>& honest) {
  const auto* got = std::get_if<Tensor<float>>(&honest.elements);
  if (got == nullptr || got->shape() != scaled.shape()) return {};
  constexpr double kLargest = std::numeric_limits<double>::max();
  const Bounded* right = scaled.data();
  const float* numbers = got->data();
  double worst = 0;
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    const double distance = std::abs(static_cast<double>(numbers[i]) - right[i].value), error = right[i].error;
    const double units = distance / (oracle::kRoundoff * error + 0x1p-126);
    const bool counts = (distance <= kLargest) & (error <= kLargest) & (error > 0);  // no NaN, no infinity, nothing exact
    worst = counts & (units > worst) ? units : worst;
  }
  return worst;
}

/// A copy whose scales are `factor` times as large; none less than one rounding of its number.
Value<Bounded> rescaled(const Value<Bounded>& value, double factor) {
  const Tensor<Bounded>& from = *reals_of(value);
  Tensor<Bounded> to(from.shape());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Bounded& x = from[i];
    to[i] = {x.value, std::isfinite(x.error) ? std::max(factor * x.error, std::min(x.error, std::abs(x.value))) : x.error};
  }
  return {value.type, std::move(to), value.open};
}

/// A case's inputs, each given to an evaluation before the first node that reads it: over Bounded they take four times their own room.
class Inputs {
 public:
  Inputs(const spec::Graph& model, const std::vector<spec::Shape>& shapes, const std::vector<Bytes>& bytes)
      : model_(model), shapes_(shapes), bytes_(bytes) {
    std::unordered_map<std::string, std::size_t> first_use;
    for (std::size_t n = model.nodes.size(); n-- > 0;)
      oracle::each_value_read(model.nodes[n], [&](const std::string& name) { first_use[name] = n; });
    for (const spec::TensorSpec& input : model.inputs) {
      const auto use = first_use.find(input.name);
      first_use_.push_back(use == first_use.end() ? 0 : use->second);
    }
  }
  template <class T>
  void put_for(std::size_t node, Evaluation<T>& evaluation) const {
    for (std::size_t i = 0; i < first_use_.size(); ++i)
      if (first_use_[i] == node)
        evaluation.put(model_.inputs[i].name, oracle::load_value<T>(model_.inputs[i].type, shapes_[i], bytes_[i].data()));
  }

 private:
  const spec::Graph& model_;
  const std::vector<spec::Shape>& shapes_;
  const std::vector<Bytes>& bytes_;
  std::vector<std::size_t> first_use_;
};

/// The analysis and honest evaluations of one model, in step.
class Calibration {
 public:
  Calibration(const spec::Task& task, const spec::Dims& dims, const Inputs& inputs, bool halves, oracle::Cost* cost)
      : model_(task.model), inputs_(inputs), halves_(halves), scaled_(model_, dims, cost) {
    for (int i = 0; i <= kJittered; ++i) honest_.push_back(std::make_unique<Evaluation<float>>(model_, dims));
  }

  std::vector<Value<Bounded>> run() {
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
      inputs_.put_for(n, scaled_);
      oracle::met_step = false;
      scaled_.run(n);
      run_honestly(n, oracle::met_step);
      scaled_.drop_dead(n);
      for (const auto& evaluation : honest_) evaluation->drop_dead(n);
    }
    return scaled_.outputs();
  }

 private:
  void run_honestly(std::size_t n, bool jumps) {
    const spec::Node& node = model_.nodes[n];
    for (const auto& evaluation : honest_) inputs_.put_for(n, *evaluation);
    honest_.front()->run(n);
    const bool exact =
        !jumps && std::ranges::all_of(node.outputs, [&](const std::string& name) { return name.empty() || is_exact(*scaled_.find(name)); });
    for (std::size_t i = 1; i < honest_.size(); ++i) {
      if (!exact) honest_[i]->run(n);
      else
        for (const std::string& name : node.outputs)  // one for all: weights in another shape
          if (!name.empty()) honest_[i]->put(name, *honest_.front()->find(name));
    }
    if (exact) return;
    for (const std::string& name : node.outputs)
      if (!name.empty()) settle(name, n, jumps);
  }

  void settle(const std::string& name, std::size_t node, bool jumps) {
    const Value<Bounded>& value = *scaled_.find(name);
    if (reals_of(value) == nullptr) return;
    for (std::size_t i = 1; i < honest_.size(); ++i)
      honest_[i]->put(name, off_by_chance(*honest_[i]->find(name), value, mixed(node) + i, jumps));
    // A jump is one unit of a scale, whether or not one of these evaluations takes it.
    if (!jumps) calibrate(name, value);
  }

  Value<float> off_by_chance(const Value<float>& honest, const Value<Bounded>& value, std::uint64_t draw, bool jumps) const {
    Value<float> off = jittered(honest, value, kJitter, draw);
    auto* reals = std::get_if<Tensor<float>>(&off.elements);
    if (reals == nullptr) return off;
    if (jumps) take_jumps(*reals, *reals_of(value), mixed(draw));
    if (halves_ && is_half(off.type))
      for (float& x : *reals) x = static_cast<float>(spec::stored_as(x, off.type));
    return off;
  }

  /// Moves each element that may be on either side of a step by its jump, up, down or not at all.
  static void take_jumps(Tensor<float>& reals, const Tensor<Bounded>& scaled, std::uint64_t draw) {
    if (reals.shape() != scaled.shape()) return;
    for (std::size_t i = 0; i < reals.size(); ++i) {
      const double jump = scaled[i].error * oracle::kRoundoff;
      const int side = static_cast<int>(mixed(draw + i) % 3) - 1;
      if (std::isfinite(jump) && jump > 0x1p-10 * std::abs(scaled[i].value)) reals[i] += static_cast<float>(side * jump);
    }
  }

  void calibrate(const std::string& name, const Value<Bounded>& value) {
    if (!calibrates_ && !is_exhausted(value, halves_)) return;
    double worst = 0;
    for (const auto& evaluation : honest_) {
      const auto units = worst_units(*reals_of(value), *evaluation->find(name));
      if (!units) return;
      worst = std::max(worst, *units);
    }
    calibrates_ = calibrates_ || worst * kOverestimate <= 1;
    if (calibrates_ && worst > 0 && worst < kWorstUnits) scaled_.put(name, rescaled(value, worst / kWorstUnits));
  }

  const spec::Graph& model_;
  const Inputs& inputs_;
  bool halves_, calibrates_ = false;
  Evaluation<Bounded> scaled_;
  std::vector<std::unique_ptr<Evaluation<float>>> honest_;  ///< the first without jitter
};

}  // namespace

Value<float> jittered(const Value<float>& value, const Value<Bounded>& exactness, double units, std::uint64_t draw) {
  const auto* from = std::get_if<Tensor<float>>(&value.elements);
  const Tensor<Bounded>* exact = reals_of(exactness);
  if (from == nullptr || exact == nullptr || from->shape() != exact->shape()) return value;
  Tensor<float> to(from->shape());  // of its own: a view's elements are another value's too
  const float* in = from->data();
  float* out = to.data();
  const auto amplitude = static_cast<float>(0x1p-23 * units * 0x1p-31);
  const auto start = static_cast<std::uint32_t>(mixed(draw));
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(to.size()); ++i) {
    std::uint32_t bits = (start + i) * 0x9e3779b1U;  // a hash of 32 bits is enough, and takes vectors
    bits = (bits ^ (bits >> 15)) * 0x85ebca77U;
    bits = (bits ^ (bits >> 13)) * 0xc2b2ae3dU;
    const float off = amplitude * static_cast<float>(static_cast<std::int32_t>(bits ^ (bits >> 16)));
    out[i] = in[i] + in[i] * off;
  }
  for (std::size_t i = 0; i < to.size(); ++i)
    if ((*exact)[i].error == 0 || !std::isfinite(in[i])) out[i] = in[i];
  return {value.type, std::move(to), value.open};
}

namespace {

/// The analysis alone; nothing where its scales become useless.
template <class Exhausted>
std::optional<std::vector<Value<Bounded>>> analysed(const spec::Task& task, const spec::Dims& dims, const Inputs& inputs,
                                                    Exhausted&& exhausted, oracle::Cost* cost) {
  Evaluation<Bounded> plain(task.model, dims, cost);
  const bool in_float = oracle::largest_number < std::numeric_limits<double>::max();
  for (std::size_t n = 0; n < task.model.nodes.size(); ++n) {
    inputs.put_for(n, plain);
    plain.run(n);
    for (const std::string& name : task.model.nodes[n].outputs)
      if (in_float && !name.empty() && exhausted(*plain.find(name))) return {};
    plain.drop_dead(n);
  }
  return plain.outputs();
}

}  // namespace

std::vector<Value<Bounded>> evaluate_with_scales(const spec::Task& task, const spec::Dims& dims, const std::vector<Bytes>& bytes,
                                                 bool halves, oracle::Cost* cost) {
  const std::vector<spec::Shape> shapes = spec::concrete_shapes(task.model.inputs, dims);
  const Inputs inputs(task.model, shapes, bytes);
  if (task.model.compute) {
    std::optional<oracle::MovedScope> moved;
    if (halves) moved.emplace();
    return *analysed(
        task, dims, inputs, [](const Value<Bounded>&) { return false; }, cost);
  }
  std::optional<oracle::HalfRoundingScope> rounds;
  if (halves) rounds.emplace();
  if (auto outputs = analysed(
          task, dims, inputs, [halves](const auto& value) { return is_exhausted(value, halves); }, cost))
    return std::move(*outputs);
  if (cost != nullptr) *cost = {};
  return Calibration(task, dims, inputs, halves, cost).run();
}

}  // namespace assay::cases
