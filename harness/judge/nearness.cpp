// SPDX-License-Identifier: Apache-2.0
#include "nearness.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

template <class Stored>
bool within(const Nearness& near, const Bytes& outputs, const Bytes& witness) {
  const auto* got = reinterpret_cast<const Stored*>(outputs.data());
  const auto* honest = reinterpret_cast<const Stored*>(witness.data());
  const Precision precision = precision_of(near.type);
  const std::size_t count = witness.size() / sizeof(Stored);
  double largest = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double right = honest[i], error = std::abs(got[i] - right) / (precision.roundoff * std::max(std::abs(right), near.usual_scale) + precision.smallest_normal);
    largest = error > largest ? error : largest;
    squares += error * error;
  }
  // A NaN or an infinity anywhere makes the sum one: whether it is right there is for the oracle to say.
  return largest <= near.most && std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, count))) <= near.most_rms;
}

}  // namespace

Nearness nearness(const ExpectedTensor& evaluated, bool strict) {
  Nearness near{evaluated.type, 0, 0, 0};
  if (strict || (evaluated.type != ElementType::f32 && evaluated.type != ElementType::f64)) return near;
  if (!evaluated.scales.empty()) {
    std::vector<double> scales = evaluated.scales;
    const auto tenth = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 10);
    std::ranges::nth_element(scales, tenth);
    if (std::isfinite(*tenth)) near.usual_scale = *tenth;
  }
  near.most = evaluated.max_bound / 2;
  near.most_rms = evaluated.rms_bound / 2;
  return near;
}

bool is_near(const Nearness& near, const Bytes& outputs, const Bytes& witness) {
  if (outputs == witness) return true;
  if (near.most == 0 || outputs.size() != witness.size()) return false;
  return near.type == ElementType::f64 ? within<double>(near, outputs, witness) : within<float>(near, outputs, witness);
}

}  // namespace assay
