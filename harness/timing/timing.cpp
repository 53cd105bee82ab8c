// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace assay::timing {

using record::claim_error, record::Doubt, record::Folds, record::Speedup, record::Verdict;

namespace {

/// Not a number where its arguments are none, or its degrees 0.
using StudentsT = boost::math::students_t_distribution<
    double, boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>>>;

struct Moments {
  double mean, standard_error;
};

Moments moments(const LogRatios& launches) {
  const auto n = static_cast<double>(launches.size());
  const double mean = std::accumulate(launches.begin(), launches.end(), 0.0) / n;
  double squares = 0;
  for (const double x : launches) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / (n - 1) / n)};
}

LogRatios mean_over_shapes(const std::vector<LogRatios>& shapes) {
  LogRatios means(shapes.front().size(), 0);
  for (const LogRatios& launches : shapes)
    for (std::size_t k = 0; k < means.size(); ++k) means[k] += launches.at(k) / static_cast<double>(shapes.size());
  return means;
}

/// Probability of such evidence, or more, where the true speedup is 1.
double p_value(const LogRatios& launches) {
  const auto [mean, error] = moments(launches);
  if (error == 0) return mean > 0 ? 0 : 1;
  return 1 - student_t_probability(launches.size() - 1, mean / error);
}

}  // namespace

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
  std::vector<double> means;
  for (std::size_t i = 0; i < ratios.size(); ++i)
    for (std::size_t j = i; j < ratios.size(); ++j) means.push_back((ratios[i] + ratios[j]) / 2);
  return median(std::move(means));
}

double student_t_probability(std::size_t degrees, double t) { return cdf(StudentsT(static_cast<double>(degrees)), t); }

double student_t(std::size_t degrees, double probability) { return quantile(StudentsT(static_cast<double>(degrees)), probability); }

Speedup speedup_over(const LogRatios& launches, double confidence) {
  const auto [mean, error] = moments(launches);
  const double half = student_t(launches.size() - 1, (1 + confidence) / 2) * error;
  return {std::exp(mean), std::exp(mean - half), std::exp(mean + half), lower_bound(launches, claim_error)};
}

double lower_bound(const LogRatios& launches, double level) {
  const auto [mean, error] = moments(launches);
  return std::exp(mean - student_t(launches.size() - 1, 1 - level) * error);
}

std::vector<double> holm_lower_bounds(const std::vector<LogRatios>& shapes) {
  std::vector<std::size_t> order(shapes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> evidence, bounds(shapes.size());
  for (const LogRatios& launches : shapes) evidence.push_back(p_value(launches));
  std::ranges::stable_sort(order, {}, [&](std::size_t shape) { return evidence[shape]; });
  bool claimed = true;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double level = claim_error / static_cast<double>(shapes.size() - rank);
    const double bound = lower_bound(shapes[order[rank]], level);
    claimed = claimed && bound > 1;
    bounds[order[rank]] = claimed ? bound : std::min(bound, 1.0);
  }
  return bounds;
}

Speedup speedup_over_shapes(const std::vector<LogRatios>& shapes) {
  constexpr double kFloor = 0.95;
  Speedup speedup = speedup_over(mean_over_shapes(shapes));
  for (const double bound : holm_lower_bounds(shapes))
    if (bound < kFloor) speedup.at_least = std::min(speedup.at_least, bound);
  return speedup;
}

Folds folds_over_shapes(const std::vector<LogRatios>& shapes) {
  const LogRatios means = mean_over_shapes(shapes);
  Folds folds;
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    double sum = 0;
    int launches = 0;
    for (std::size_t launch = fold; launch < means.size(); launch += folds.size(), ++launches) sum += means[launch];
    folds[fold] = std::exp(sum / launches);
  }
  return folds;
}

double spread(std::vector<double> values) {
  if (values.size() < 2) return 1;
  std::ranges::sort(values);
  const std::size_t left_out = values.size() / 20;
  return values[values.size() - 1 - left_out] / values[left_out];
}

double least_seconds(const LeastWork& work, const MachinePeaks& peaks) {
  const double reading = peaks.reading > 0 ? work.input_bytes / peaks.reading : 0;
  return std::max({work.output_bytes / peaks.writing, reading, work.product_flops / (2 * peaks.flops)});
}

double most_apart(double device_seconds, double unsure_seconds) {
  constexpr double kShare = 0.1, kStep = 20e-6;  // 60 MB at 4 TB/s
  return kShare * device_seconds + unsure_seconds + kStep;
}

TimingVerdict judge_timing(const TimingFacts& facts) {
  constexpr double kLeastOverOverhead = 10, kLeastOfSealed = 3, kMostSteal = 0.1, kMostDrift = 2, kWidest = 1.5;
  const double microseconds = facts.candidate_seconds * 1e6;
  const double allowed = most_apart(facts.device_seconds, facts.unsure_seconds);
  const double surely_passed = facts.judge_seconds * (1 - facts.pressure);  // the rest the judge may have waited for a processor
  const std::string clocks = fmt::format("in a batch a call takes {:.3g} us by the device's clock, {:.3g} us by the judge's",
                                         facts.device_seconds * 1e6, facts.judge_seconds * 1e6);
  if (facts.is_longer_in_most && surely_passed - facts.device_seconds > allowed) return {Verdict::suspect_fast, clocks};
  // The empty call is on the candidate's side here: however wrong it was to take it off, no machine is that fast.
  if (!(facts.candidate_seconds + facts.overhead_seconds >= facts.least_seconds))
    return {Verdict::suspect_fast,
            fmt::format("{:.3g} us, and {:.3g} us of an empty call, are less than the {:.3g} us that this machine needs "
                        "for data and products alone",
                        microseconds, facts.overhead_seconds * 1e6, facts.least_seconds * 1e6)};
  const auto inconclusive = [](Doubt doubt, std::string reason) { return TimingVerdict{Verdict::inconclusive, std::move(reason), doubt}; };
  if (std::abs(facts.judge_seconds - facts.device_seconds) > allowed) return inconclusive(Doubt::machine, clocks);
  if (!(facts.candidate_seconds >= (facts.is_sealed ? kLeastOfSealed : kLeastOverOverhead) * facts.overhead_seconds))
    return inconclusive(Doubt::length, fmt::format("a call takes {:.3g} us, an empty one {:.3g} us: too short to be timed", microseconds,
                                                   facts.overhead_seconds * 1e6));
  if (facts.steal > kMostSteal)
    return inconclusive(Doubt::machine, fmt::format("the hypervisor gave {:.0f} % of the processors' time to others", facts.steal * 100));
  if (!(facts.baseline_drift <= kMostDrift))
    return inconclusive(Doubt::machine, fmt::format("the machine is not steady: the baseline's launches differ by a factor of {:.2f}",
                                                    facts.baseline_drift));
  if (!(facts.speedup.high / facts.speedup.estimate <= kWidest)) {
    const bool own = facts.candidate_drift > facts.baseline_drift;
    return inconclusive(
        own ? Doubt::candidate : Doubt::machine,
        fmt::format("launches disagree: speedup {:.3g} to {:.3g}; the candidate's differ by a factor of {:.2f}, the baseline's by {:.2f}",
                    facts.speedup.low, facts.speedup.high, facts.candidate_drift, facts.baseline_drift));
  }
  return {Verdict::pass, ""};
}

}  // namespace assay::timing
