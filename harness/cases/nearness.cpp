// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/nearness.h"

#include <algorithm>
#include <cmath>

namespace assay::cases {
namespace {

template <class Stored>
bool within(const Nearness& near, const Bytes& outputs, const Bytes& witness) {
  const auto* got = reinterpret_cast<const Stored*>(outputs.data());
  const auto* honest = reinterpret_cast<const Stored*>(witness.data());
  const Precision precision = precision_of(near.type);
  const std::size_t count = witness.size() / sizeof(Stored);
  double largest = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double right = honest[i],
                 error = std::abs(got[i] - right) /
                         (precision.roundoff * std::max(near.relative_scale * std::abs(right), near.scale) + precision.smallest_normal);
    largest = error > largest ? error : largest;
    squares += error * error;
  }
  // A NaN or an infinity anywhere makes the sum one: whether it is right there is for the oracle to say.
  return largest <= near.most && std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, count))) <= near.most_rms;
}

/// What all but `share` of the values reach; 0 where that is no number.
double quantile(oracle::Elements<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  std::ranges::nth_element(values, at);
  return std::isfinite(*at) ? *at : 0;
}

}  // namespace

Nearness nearness(const ExpectedTensor& evaluated, bool strict) {
  Nearness near{evaluated.type, 0, 0, 0};
  if (strict || (evaluated.type != spec::ElementType::f32 && evaluated.type != spec::ElementType::f64)) return near;
  oracle::Elements<double> relative;
  for (std::size_t i = 0; i < evaluated.scales.size(); ++i)
    if (evaluated.values[i] != 0) relative.push_back(evaluated.scales[i] / std::abs(evaluated.values[i]));
  near.scale = quantile(evaluated.scales, 0.5);
  near.relative_scale = quantile(std::move(relative), 0.1);
  near.most = evaluated.max_bound / 2;
  near.most_rms = evaluated.rms_bound / 2;
  return near;
}

bool is_near(const Nearness& near, const Bytes& outputs, const Bytes& witness) {
  if (outputs == witness) return true;
  if (near.most == 0 || outputs.size() != witness.size()) return false;
  return near.type == spec::ElementType::f64 ? within<double>(near, outputs, witness) : within<float>(near, outputs, witness);
}

}  // namespace assay::cases
