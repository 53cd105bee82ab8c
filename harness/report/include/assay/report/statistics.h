// SPDX-License-Identifier: Apache-2.0
// The formulas, on plain numbers. Sources: Chen et al. 2021 (pass@k), Wilson 1927, Hoeffding 1948 (variance
// of a U-statistic), Miller 2024 "Adding Error Bars to Evals" (tasks as clusters, paired comparison), Stone 1974 (cross-validation).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "assay/record/speedup.h"

namespace assay::report {

struct Bounds {
  double low = 0;
  double high = 0;
};

static_assert(record::confidence == 0.95);
inline constexpr double normal_quantile = 1.959963984540054;  ///< of 0.975

/// Probability that k of n samples, drawn without replacement, hold at least one of the c good ones:
/// 1 - C(n-c,k)/C(n,k). Unbiased for the chance that one of k fresh samples is good. Needs 1 <= k <= n, 0 <=
/// c <= n.
double at_least_one(int n, int c, int k);

/// Expected speedup of the best of k samples, drawn without replacement: of n samples the j-th from below is the best with a chance of
/// C(j-1,k-1)/C(n,k). A failure's folds are 0. `otherwise` is what is in use where none is faster: 0, or 1, the baseline. Needs
/// 1 <= k <= samples.size().
///
/// What chooses does not count: the largest of five equal things, each measured with sigma, would be 1.16 sigma too large. So each
/// fold is counted for the sample that the others choose, and one that all choose counts its estimate.
double best_of(std::span<const record::Folds> samples, int k, double otherwise);

double mean(std::span<const double> values);

/// Wilson's score interval at 95 % with correction for continuity (Newcombe 1998, method 4) for a proportion seen in `n` trials; `n`
/// need not be whole. [0, 1] for n <= 0. Without the correction it holds the truth in as few as 93 of 100.
Bounds wilson(double proportion, double n);

/// 0.975 quantile of Student's t with `degrees` >= 1 degrees of freedom.
double student_t(int degrees);

/// mean +- t sd/sqrt(n). nullopt for fewer than two values, and where all are equal but for rounding: such a sample tells
/// nothing of its spread.
std::optional<Bounds> t_interval(std::span<const double> values);

/// Interval for the mean of paired differences in [-1, 1]: t_interval, or where all are equal the rule of
/// three (an event not seen in n trials has a rate below 3/n), clipped to [-1, 1].
Bounds difference_interval(std::span<const double> differences);

}  // namespace assay::report
