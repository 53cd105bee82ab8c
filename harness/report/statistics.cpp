// SPDX-License-Identifier: Apache-2.0
#include "assay/report/statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

namespace assay::report {

using record::Folds;

namespace {

constexpr std::size_t fold_count = std::tuple_size_v<Folds>;

/// One fold of a sample, held out of what the sample is chosen by.
struct HeldOut {
  double others;  ///< sum of the other folds' logarithms
  double counts;
};

HeldOut hold_out(const Folds& sample, std::size_t fold) {
  double others = 0;
  for (std::size_t other = 0; other < fold_count; ++other)
    if (other != fold) others += std::log(sample[other]);
  const double own = std::log(sample[fold]), mean = (others + own) / fold_count;
  // The estimate, and to first order how far the fold is from it. That adds up to 0 over all folds. The fold itself would not do: its
  // noise is more than twice the estimate's, and noise raises the mean of an exponential.
  return {others, std::exp(mean) * (1 + own - mean)};
}

double clip(double value) { return std::clamp(value, -1.0, 1.0); }

/// But for what a few roundings make of equal numbers.
bool all_equal(std::span<const double> values) {
  constexpr double kRounding = 1e-12;
  const auto [smallest, largest] = std::ranges::minmax(values);
  return largest - smallest <= kRounding * std::max({1.0, std::abs(smallest), std::abs(largest)});
}

}  // namespace

double at_least_one(int n, int c, int k) {
  if (n - c < k) return 1.0;
  // C(n-c,k)/C(n,k) as a product: no factorial, no overflow at n = 999.
  double none = 1.0;
  for (int i = 0; i < k; ++i) none *= static_cast<double>(n - c - i) / (n - i);
  return 1.0 - none;
}

double best_of(std::span<const Folds> samples, int k, double otherwise) {
  const int n = static_cast<int>(samples.size());
  double sum = 0, chosen = 0;
  for (std::size_t fold = 0; fold < fold_count; ++fold) {
    std::vector<HeldOut> ranking;
    for (const Folds& sample : samples) ranking.push_back(hold_out(sample, fold));
    std::ranges::stable_sort(ranking, std::ranges::greater{}, &HeldOut::others);
    // Chance of rank i from the top: C(n-1-i,k-1)/C(n,k), from k/n downwards by the ratio of neighbours.
    double chance = static_cast<double>(k) / n / fold_count;
    for (int i = 0; i <= n - k && ranking[static_cast<std::size_t>(i)].others > std::log(otherwise); ++i) {
      sum += chance * ranking[static_cast<std::size_t>(i)].counts;
      chosen += chance;
      chance *= static_cast<double>(n - k - i) / (n - 1 - i);
    }
  }
  return sum + (1 - chosen) * otherwise;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Bounds wilson(double proportion, double n) {
  if (n <= 0) return {0, 1};
  const double z = normal_quantile, z2 = z * z, p = proportion, q = 1 - proportion, divisor = 2 * (n + z2);
  const auto root = [&](double sign) { return std::sqrt(std::max(0.0, z2 - sign * 2 - 1 / n + 4 * p * (n * q + sign))); };
  const double low = (2 * n * p + z2 - 1 - z * root(1)) / divisor, high = (2 * n * p + z2 + 1 + z * root(-1)) / divisor;
  return {p <= 0 ? 0 : std::clamp(low, 0.0, p), q <= 0 ? 1 : std::clamp(high, p, 1.0)};
}

double student_t(int degrees) { return quantile(boost::math::students_t(std::max(degrees, 1)), 0.975); }

std::optional<Bounds> t_interval(std::span<const double> values) {
  const int n = static_cast<int>(values.size());
  if (n < 2 || all_equal(values)) return std::nullopt;
  const double centre = mean(values);
  double squares = 0;
  for (double value : values) squares += (value - centre) * (value - centre);
  const double half = student_t(n - 1) * std::sqrt(squares / (n - 1) / n);
  return Bounds{centre - half, centre + half};
}

Bounds difference_interval(std::span<const double> differences) {
  const auto interval = t_interval(differences);
  const double centre = mean(differences);
  const double three = 3.0 / static_cast<double>(differences.size());
  const Bounds bounds = interval.value_or(Bounds{centre - three, centre + three});
  return {clip(bounds.low), clip(bounds.high)};
}

}  // namespace assay::report
