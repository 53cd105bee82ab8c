// SPDX-License-Identifier: Apache-2.0
// From times of single calls to a speedup with an interval, and the verdict on a timing. Pure functions of numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/judge/record.h"

namespace assay {

/// One call of each, in seconds, with the cost of an empty call already taken off.
struct PairTime {
  double candidate;
  double baseline;
};

struct Speedup {
  double estimate, low, high;  ///< baseline time / candidate time, with its 95 % interval
};

double median(std::vector<double> values);

/// Median over the pairs of one launch of log(baseline / candidate). A process launch is the unit of replication: calls
/// inside one share its page placement (Kalibera & Jones, ISMM 2013).
double log_ratio(const std::vector<PairTime>& launch);

/// Two-sided 97.5 % quantile of Student's t with `degrees` of freedom (at least 1).
double student_t(std::size_t degrees);

/// Mean of the launches' log ratios with its t-interval; at least two launches.
Speedup speedup_over(const std::vector<double>& log_ratios);

struct TimingFacts {
  double candidate_seconds;  ///< median over all pairs
  double overhead_seconds;   ///< of an empty call
  double least_seconds;      ///< no machine of this speed can write the outputs in less
  Speedup speedup;
};

/// SUSPECT_FAST below the machine's limit; INCONCLUSIVE where the call is shorter than the handshake's noise or the
/// interval is wider than a factor of 1.5 either way; else PASS. With the reason.
std::pair<Verdict, std::string> judge_timing(const TimingFacts& facts);

}  // namespace assay
