// SPDX-License-Identifier: Apache-2.0
// From times of single calls to a speedup with an interval, and the verdict on a timing. Pure functions of numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/record/record.h"
#include "assay/timing/machine.h"

namespace assay::timing {

/// One call of each, in seconds, with the cost of an empty call already taken off.
struct PairTime {
  double candidate;
  double baseline;
};

/// One value for each launch: a process launch is the unit of replication, since calls inside one share its page placement
/// (Kalibera & Jones, ISMM 2013). Needs two at least.
using LogRatios = std::vector<double>;

double median(std::vector<double> values);

/// Of log(baseline / candidate) over the pairs of one launch: the median of all means of two (Hodges & Lehmann, 1963), which an
/// interrupted call moves as little as the median, and which wastes less of the others.
double log_ratio(const std::vector<PairTime>& launch);

/// P(T <= t) for Student's t with `degrees` of freedom (at least 1).
double student_t_probability(std::size_t degrees, double t);
/// Its inverse: 2.262 for 9 degrees and 0.975.
double student_t(std::size_t degrees, double probability);

/// Mean of the launches' log ratios with its two-sided t-interval at `confidence`, and the one-sided bound at claim_error.
record::Speedup speedup_over(const LogRatios& launches, double confidence = record::confidence);

/// The one-sided lower bound of the ratio at error probability `level`.
double lower_bound(const LogRatios& launches, double level);

/// For each shape the bound of its own speedup when all are claimed at once with error probability claim_error: Holm's
/// levels in the order of evidence that the speedup exceeds 1. From the first shape for which that cannot be claimed on, no
/// bound exceeds 1.
std::vector<double> holm_lower_bounds(const std::vector<LogRatios>& shapes);

/// The geometric mean over shapes (launch k of every shape is one replicate). A shape whose Holm bound is below 0.95 caps
/// at_least: being fast on average excuses no shape that is slower.
record::Speedup speedup_over_shapes(const std::vector<LogRatios>& shapes);

/// Of the same means over shapes: launch l is of fold l modulo 5. Needs launches in every fold.
record::Folds folds_over_shapes(const std::vector<LogRatios>& shapes);

/// Largest over smallest of positive values, a twentieth at either end left out: the range of a hundred launches would be wider than
/// that of four on the same machine. 1 for fewer than two.
double spread(std::vector<double> values);

/// What a right result cannot be had without; 0: no such bound.
struct LeastWork {
  double output_bytes = 0;
  double input_bytes = 0;    ///< that every right kernel reads
  double product_flops = 0;  ///< of a matrix product
};

/// No machine with these peaks can do it in less: writing the outputs at the rate of the nearest cache, reading the inputs at
/// that of the next, and half the arithmetic of a matrix product, as Strassen-like algorithms may save some.
double least_seconds(const LeastWork& work, const MachinePeaks& peaks);

/// By how much the judge's clock and the device's may differ for a call in a batch, in seconds: a tenth of the call, what a cache of 60 MB
/// holds or does not when a kernel is over, and what empty batches differ by.
double most_apart(double device_seconds, double unsure_seconds);

struct TimingFacts {
  double candidate_seconds;    ///< median over all pairs
  double overhead_seconds;     ///< of an empty call
  double least_seconds;        ///< no machine of this speed can do it in less
  double baseline_drift = 1;   ///< spread() of the medians of the baseline's launches
  double candidate_drift = 1;  ///< the same of the candidate's
  double steal = 0;            ///< share of the processors' time that the hypervisor gave to others
  double pressure = 0;         ///< share of the time in which some task waited for a processor, as the judge may have
  record::Speedup speedup;
  bool is_sealed = false;  ///< what a seal costs is taken off, which was measured beside each call
  /// Means of a call in a batch by the judge's clock and by the device's, and by how much empty batches differ for each call; all 0 where
  /// calls are not made in batches.
  double judge_seconds = 0, device_seconds = 0, unsure_seconds = 0;
  bool is_longer_in_most = true;  ///< by the judge's clock; in few launches a hypervisor may be the cause
};

struct TimingVerdict {
  record::Verdict verdict;
  std::string reason;
  record::Doubt doubt = record::Doubt::none;  ///< other than none where INCONCLUSIVE
};

/// SUSPECT_FAST below the machine's limit, an empty call included, or where the batches of most launches took longer by the judge's
/// clock, waits for a processor taken off, than by their device's; INCONCLUSIVE where the two clocks differ otherwise, where a call is
/// shorter than ten empty ones, the machine was not ours or not steady, or the interval is wider than a factor of 1.5 either way; else
/// PASS.
TimingVerdict judge_timing(const TimingFacts& facts);

}  // namespace assay::timing
