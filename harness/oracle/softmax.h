// SPDX-License-Identifier: Apache-2.0
// The normalisation that Softmax, LogSoftmax and the cross-entropy loss share; defined in
// operators/softmax.cpp.
#pragma once

#include <algorithm>
#include <vector>

#include "elementwise.h"
#include "reduction.h"

namespace assay::oracle {

enum class Scale { probability, logarithm };

/// y = softmax(x) or its logarithm along `view`'s extent, the maximum subtracted before exp.
void softmax_along(const Tensor<double>& x, Tensor<double>& y, const AxisView& view, Scale scale);
void softmax_along(const Tensor<float>& x, Tensor<float>& y, const AxisView& view, Scale scale);
void softmax_along(const Tensor<Bounded>& x, Tensor<Bounded>& y, const AxisView& view, Scale scale);

/// Whether honest values of at(0) .. at(count - 1) may lie 1 or more away, so that slopes say little of their exponentials.
template <class T, class At>
bool is_far(std::int64_t count, At&& at) {
  if constexpr (std::is_same_v<T, Bounded>) {
    for (std::int64_t k = 0; k < count; ++k)
      if (reach(at(k)) >= 1) return true;
  }
  return false;
}

/// The exponentials of a set of numbers, kept from overflowing.
class Exponentials {
 public:
  /// Takes the largest out.
  explicit Exponentials(std::vector<double> x);
  double log_total() const { return top_ + std::log(total_); }
  /// log of the total of all but the k-th.
  double log_rest(std::size_t k) const { return top_ + std::log(std::max(0.0, total_ - powers_[k])); }

 private:
  double top_, total_ = 0;
  std::vector<double> powers_;
};

/// What the numbers of a set may be at least and at most, and the exponentials of both.
struct Spread {
  std::vector<double> least, most;
  Exponentials low, high;

  template <class At>
  static Spread of(std::int64_t count, At&& at) {
    std::vector<double> least, most;
    for (std::int64_t k = 0; k < count; ++k) {
      const Bounded x = at(k);
      least.push_back(x.value - reach(x));
      most.push_back(x.value + reach(x));
    }
    return {least, most, Exponentials(least), Exponentials(most)};
  }
};

/// The error of a value that may be anything from `least` to `most`.
inline double error_within(double value, double least, double most) {
  return std::max(value - least, most - value) / (accepted_units * kRoundoff);
}

/// log(sum of exp(at(k))) of differences to their largest.
template <class T, class At>
T log_sum_exp(std::int64_t count, At&& at) {
  using std::exp, std::log;
  const bool far = is_far<T>(count, at);
  const T total = log(sum<T>(count, [&](std::int64_t k) { return exp(far ? exact(at(k)) : at(k)); }));
  if constexpr (std::is_same_v<T, Bounded>)
    if (far) {
      const Spread spread = Spread::of(count, at);
      return {total.value, total.error + error_within(total.value, spread.low.log_total(), spread.high.log_total())};
    }
  return total;
}

}  // namespace assay::oracle
