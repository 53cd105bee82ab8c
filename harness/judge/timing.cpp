// SPDX-License-Identifier: Apache-2.0
#include "assay/judge/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace assay {

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double log_ratio(const std::vector<PairTime>& launch) {
  std::vector<double> ratios;
  for (const PairTime& pair : launch) ratios.push_back(std::log(pair.baseline / pair.candidate));
  return median(std::move(ratios));
}

double student_t(std::size_t degrees) {
  static constexpr double kQuantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                          2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                          2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  return degrees <= std::size(kQuantiles) ? kQuantiles[degrees - 1] : 1.96;
}

Speedup speedup_over(const std::vector<double>& log_ratios) {
  const auto n = static_cast<double>(log_ratios.size());
  const double mean = std::accumulate(log_ratios.begin(), log_ratios.end(), 0.0) / n;
  double squares = 0;
  for (const double x : log_ratios) squares += (x - mean) * (x - mean);
  const double half = student_t(log_ratios.size() - 1) * std::sqrt(squares / (n - 1) / n);
  return {std::exp(mean), std::exp(mean - half), std::exp(mean + half)};
}

std::pair<Verdict, std::string> judge_timing(const TimingFacts& facts) {
  constexpr double kWidest = 1.5, kLeastOverOverhead = 3;
  // A limit that is itself lost in the handshake's noise shows nothing.
  const bool limit_shows = facts.least_seconds > kLeastOverOverhead * facts.overhead_seconds;
  if (limit_shows && !(facts.candidate_seconds >= facts.least_seconds))
    return {Verdict::suspect_fast, fmt::format("{:.3g} us is less than the {:.3g} us that this machine needs to write the outputs",
                                               facts.candidate_seconds * 1e6, facts.least_seconds * 1e6)};
  if (!(facts.candidate_seconds >= kLeastOverOverhead * facts.overhead_seconds))
    return {Verdict::inconclusive, fmt::format("a call takes {:.3g} us, an empty one {:.3g} us: too short to be timed",
                                               facts.candidate_seconds * 1e6, facts.overhead_seconds * 1e6)};
  const double width = facts.speedup.high / facts.speedup.estimate;
  if (!(width <= kWidest))
    return {Verdict::inconclusive, fmt::format("launches disagree: speedup {:.3g} to {:.3g}", facts.speedup.low, facts.speedup.high)};
  return {Verdict::pass, ""};
}

}  // namespace assay
