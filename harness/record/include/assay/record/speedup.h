// SPDX-License-Identifier: Apache-2.0
// A measured ratio, and how sure one may be of it: the levels that judge and report share.
#pragma once

#include <array>

namespace assay::record {

/// Of every two-sided interval.
inline constexpr double confidence = 0.95;
/// Error probability of "faster than". A kernel as fast as the baseline is claimed to be faster that often, and a launch's
/// neighbours on the machine make it somewhat more.
inline constexpr double claim_error = 0.01;
/// Of the canary's interval, which is wider: it decides over all timings beside it.
inline constexpr double canary_confidence = 0.99;

/// Baseline time / candidate time.
struct Speedup {
  double estimate = 0;
  double low = 0, high = 0;  ///< the interval at `confidence`
  double at_least = 0;       ///< one-sided lower bound at error probability claim_error: what "faster than" is claimed by

  bool operator==(const Speedup&) const = default;
};

/// Speedups of the fifths of a timing's launches, dealt in turn: what four say chooses among samples, and the fifth, which owes nothing
/// to the choice, counts. Their geometric mean is the estimate.
using Folds = std::array<double, 5>;

}  // namespace assay::record
