// SPDX-License-Identifier: Apache-2.0
// The error scale against what float32 really does: the error in every legal order of summation stays below 8
// u times the bound, and the worst of many elements comes within a factor of the bound, or it would hide
// wrong kernels.
#pragma once

#include <random>

#include "one_node.h"

namespace assay::oracle {

constexpr double kFloatRoundoff = 0x1p-24;

/// Standard normal numbers, scaled and shifted, that float holds exactly.
inline Input normal(Shape shape, unsigned seed, double scale = 1, double mean = 0) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> distribution(static_cast<float>(mean), static_cast<float>(scale));
  Input input{ElementType::f32, shape, {}};
  for (std::int64_t i = 0; i < element_count(shape); ++i) input.elements.push_back(distribution(engine));
  return input;
}

/// Uniform numbers in [low, high) that float holds exactly.
inline Input uniform(Shape shape, unsigned seed, double low, double high) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> distribution(static_cast<float>(low), static_cast<float>(high));
  Input input{ElementType::f32, shape, {}};
  for (std::int64_t i = 0; i < element_count(shape); ++i) input.elements.push_back(distribution(engine));
  return input;
}

inline std::vector<double> bounds(const Value<Bounded>& value) {
  std::vector<double> all;
  for (const Bounded& x : std::get<Tensor<Bounded>>(value.elements)) all.push_back(x.error);
  return all;
}

/// The worst error over all elements of output `index`, in units of u * bound.
inline double worst_scaled_error(const OneNode& node, const std::vector<Input>& inputs, SumOrder order, std::size_t index) {
  const std::vector<double> exact = elements(node.run<double>(inputs)[index]);
  const std::vector<double> scale = bounds(node.run<Bounded>(inputs)[index]);
  const std::vector<double> rounded = [&] {
    const SumOrderScope ordered(order);
    return elements(node.run<float>(inputs)[index]);
  }();
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double error = std::abs(rounded[i] - exact[i]);
    // What is below the smallest normal number may be flushed to zero.
    if (error <= 0x1p-126) continue;
    // An error where the bound promises none is infinitely too large.
    worst = std::max(worst, scale[i] == 0 ? HUGE_VAL : error / (kFloatRoundoff * scale[i]));
  }
  return worst;
}

inline void expect_honest_scale(const OneNode& node, const std::vector<Input>& inputs, std::size_t index = 0, double looseness = 100) {
  double worst = 0;
  for (const SumOrder order : {SumOrder::natural, SumOrder::sequential, SumOrder::reversed, SumOrder::pairwise}) {
    const double scaled = worst_scaled_error(node, inputs, order, index);
    // One chain of n sums wanders as sqrt(n); the tests' n is 1000 at most.
    const bool chain = order == SumOrder::sequential || order == SumOrder::reversed;
    EXPECT_LE(scaled, chain ? 32 : 8) << "order " << static_cast<int>(order);
    worst = std::max(worst, scaled);
  }
  EXPECT_GE(worst * looseness, 1) << "the bound is " << 1 / worst << " times the worst error seen";
}

}  // namespace assay::oracle
