// SPDX-License-Identifier: Apache-2.0
// The table of metrics, and how a problem's value and a group's interval follow from a row.
#include "assay/report/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "assay/report/statistics.h"

namespace assay::report {

using record::Stage;

namespace {

using Samples = std::span<const Outcome>;
using Value = std::optional<double>;

template <typename Good>
Value chance(Samples samples, int k, Good good) {
  const auto count = std::count_if(samples.begin(), samples.end(), good);
  return at_least_one(static_cast<int>(samples.size()), static_cast<int>(count), k);
}

bool is_faster(const Outcome& sample, double threshold) { return sample.speedup && sample.speedup->at_least > threshold; }

double best_of_k(Samples samples, int k, double otherwise) {
  std::vector<record::Folds> folds;
  for (const Outcome& sample : samples) folds.push_back(sample.folds);
  return best_of(folds, k, otherwise);
}

Value geometric_mean(Samples samples) {
  std::vector<double> logs;
  for (const Outcome& sample : samples)
    if (sample.speedup) logs.push_back(std::log(sample.speedup->estimate));
  return logs.empty() ? Value() : std::exp(mean(logs));
}

Value mean_efficiency(Samples samples) {
  std::vector<double> values;
  for (const Outcome& sample : samples)
    if (sample.efficiency) values.push_back(*sample.efficiency);
  return values.empty() ? Value() : mean(values);
}

constexpr std::array metric_table = {
    Metric{"compile@{k}", "chance that at least one of k samples compiles: 1 - C(n-c,k)/C(n,k), mean over tasks", Parameters::k,
           Reads::compile, Scale::proportion, Weight::per_problem,
           [](Samples s, Setting x) { return chance(s, x.k, [](const Outcome& o) { return o.compiles; }); }},
    Metric{"pass@{k}", "chance that at least one of k samples is correct: 1 - C(n-c,k)/C(n,k), mean over tasks", Parameters::k, Reads::pass,
           Scale::proportion, Weight::per_problem,
           [](Samples s, Setting x) { return chance(s, x.k, [](const Outcome& o) { return o.passes; }); }},
    Metric{"speedup_{x}@{k}",
           "chance that at least one of k samples is correct and the one-sided 99 % lower bound of its speedup exceeds {x}, "
           "mean over tasks",
           Parameters::alpha_and_k, Reads::speed, Scale::proportion, Weight::per_problem,
           [](Samples s, Setting x) { return chance(s, x.k, [&](const Outcome& o) { return is_faster(o, x.threshold); }); }},
    Metric{"fast_{x}", "share of all samples that are correct and whose speedup's one-sided 99 % lower bound exceeds {x}", Parameters::fast,
           Reads::speed, Scale::proportion, Weight::per_sample,
           [](Samples s, Setting x) { return chance(s, 1, [&](const Outcome& o) { return is_faster(o, x.threshold); }); }},
    Metric{"best_speedup@{k}", "expected best speedup of k samples, failures count 0, mean over tasks", Parameters::k, Reads::speed,
           Scale::mean, Weight::per_problem, [](Samples s, Setting x) { return Value(best_of_k(s, x.k, 0)); }},
    Metric{"fallback_speedup@{k}",
           "expected best speedup of k samples where the baseline stays in use unless one is faster, "
           "geometric mean over tasks",
           Parameters::k, Reads::speed, Scale::geometric, Weight::per_problem,
           [](Samples s, Setting x) { return Value(best_of_k(s, x.k, 1)); }},
    Metric{"geomean_speedup", "geometric mean speedup of correct samples, within and over tasks that have one", Parameters::none,
           Reads::speed, Scale::geometric, Weight::per_problem, [](Samples s, Setting) { return geometric_mean(s); }},
    Metric{"efficiency", "roofline time / time of correct samples, mean over tasks that have one", Parameters::none, Reads::speed,
           Scale::mean, Weight::per_problem, [](Samples s, Setting) { return mean_efficiency(s); }},
};

Knowledge knowledge(const Outcome& sample, Reads reads) {
  switch (reads) {
    case Reads::compile: return sample.compile;
    case Reads::pass: return sample.pass;
    case Reads::speed: return sample.speed;
  }
  return Knowledge::not_run;
}

constexpr std::string_view stage_read(Reads reads) { return reads == Reads::compile ? "compile" : reads == Reads::pass ? "test" : "bench"; }

std::string printed_name(const Metric& metric, Setting setting) {
  return fmt::format(fmt::runtime(metric.name), fmt::arg("k", setting.k), fmt::arg("x", setting.threshold));
}

Estimate without_value(EstimateState state, std::string reason) {
  Estimate estimate;
  estimate.state = state;
  estimate.reason = std::move(reason);
  return estimate;
}

Bounds proportion_interval(const Column& column, double value, std::span<const int> counts) {
  double trials = 0;
  if (column.metric->weight == Weight::per_sample) {
    for (int n : counts) trials += n;
  } else {
    double inverse = 0;
    for (int n : counts) inverse += static_cast<double>(column.setting.k) / n;
    trials = static_cast<double>(counts.size() * counts.size()) / inverse;
  }
  return wilson(value, trials);
}

double proportion_value(const Metric& metric, std::span<const double> values, std::span<const int> counts) {
  if (metric.weight == Weight::per_problem) return mean(values);
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i] * counts[i];
    total += counts[i];
  }
  return sum / total;
}

void combine(const Column& column, std::vector<double> values, std::span<const int> counts, Estimate& estimate) {
  std::optional<Bounds> bounds;
  switch (column.metric->scale) {
    case Scale::proportion:
      estimate.value = proportion_value(*column.metric, values, counts);
      bounds = proportion_interval(column, estimate.value, counts);
      break;
    case Scale::mean:
      estimate.value = mean(values);
      bounds = t_interval(values);
      if (bounds) bounds->low = std::max(0.0, bounds->low);
      break;
    case Scale::geometric:
      for (double& value : values) value = std::log(value);
      estimate.value = std::exp(mean(values));
      bounds = t_interval(values);
      if (bounds) bounds = Bounds{std::exp(bounds->low), std::exp(bounds->high)};
      break;
  }
  if (!bounds) return;
  estimate.low = bounds->low;
  estimate.high = bounds->high;
}

}  // namespace

std::span<const Metric> all_metrics() { return metric_table; }

std::vector<Column> columns(const MetricSettings& settings) {
  std::vector<Column> result;
  const auto add = [&](const Metric& metric, Setting setting) { result.push_back({printed_name(metric, setting), &metric, setting}); };
  for (const Metric& metric : metric_table) {
    if (metric.parameters == Parameters::none) add(metric, {});
    if (metric.parameters == Parameters::k)
      for (int k : settings.k) add(metric, {k, 0});
    if (metric.parameters == Parameters::alpha_and_k)
      for (int k : settings.k) add(metric, {k, settings.alpha});
    if (metric.parameters == Parameters::fast)
      for (double p : settings.fast) add(metric, {1, p});
  }
  return result;
}

/// Samples that are right and untimed are taken to be like the right ones that were timed: those stand for them, in turn. Left out
/// they would leave failures too large a share. False where none was timed.
bool stand_in(std::vector<Outcome>& counted, int untimed) {
  std::vector<Outcome> timed;
  std::ranges::copy_if(counted, std::back_inserter(timed), [](const Outcome& outcome) { return outcome.passes; });
  for (int i = 0; i < untimed && !timed.empty(); ++i) counted.push_back(timed[static_cast<std::size_t>(i) % timed.size()]);
  return untimed == 0 || !timed.empty();
}

Estimate evaluate(const Column& column, const Problem& problem) {
  const Reads reads = column.metric->reads;
  if (reads == Reads::speed && problem.has_no_bench())
    return without_value(EstimateState::empty, fmt::format("{} has no stage bench", problem.text()));
  std::vector<Outcome> counted;
  Estimate estimate;
  std::string doubt;
  for (const Sample& sample : problem.samples) {
    const Outcome outcome = sample.outcome();
    const Knowledge known = knowledge(outcome, reads);
    if (known == Knowledge::not_run)
      return without_value(EstimateState::not_run, fmt::format("{} of {} was not run", stage_read(reads), sample.name.text()));
    if (known == Knowledge::untimed) {
      if (estimate.untimed++ == 0) doubt = sample.stage(Stage::bench)->detail;
    } else if (known == Knowledge::known) {
      counted.push_back(outcome);
      estimate.bounded += reads == Reads::speed && outcome.bounded;
    }
  }
  estimate.samples = static_cast<int>(counted.size());
  const bool timed = stand_in(counted, estimate.untimed);
  const int n = static_cast<int>(counted.size());
  const auto without = [&](EstimateState state, std::string reason) {
    estimate.state = state;
    estimate.reason = std::move(reason);
    return estimate;
  };
  if (!timed)
    return without(EstimateState::untimed, fmt::format("not timed: {} has no right sample that was timed: {}", problem.text(), doubt));
  if (n < column.setting.k)
    return without(EstimateState::refused, fmt::format("n<k: {} has {} counted of {} samples, {} needs {}", problem.text(), n,
                                                       problem.samples.size(), column.name, column.setting.k));
  const Value value = column.metric->of_problem(counted, column.setting);
  if (!value) return without(EstimateState::empty, fmt::format("{} has no correct sample to measure", problem.text()));
  estimate.state = EstimateState::value;
  estimate.value = *value;
  estimate.problems = 1;
  return estimate;
}

Estimate evaluate(const Column& column, std::span<const Problem* const> problems) {
  std::vector<double> values;
  std::vector<int> counts;
  const bool nothing_to_time = column.metric->reads == Reads::speed && std::ranges::all_of(problems, &Problem::has_no_bench);
  Estimate result = without_value(EstimateState::empty, nothing_to_time ? "no problem has a stage bench" : "no correct sample to measure");
  for (const Problem* problem : problems) {
    const Estimate one = evaluate(column, *problem);
    // Not left out: what is missing is seldom missing by chance, and a mean over the rest would mislead.
    if (one.state == EstimateState::refused || one.state == EstimateState::not_run) return one;
    result.untimed += one.untimed;
    result.bounded += one.bounded;
    if (one.state == EstimateState::untimed && values.empty()) result.state = one.state, result.reason = one.reason;
    if (one.state != EstimateState::value) continue;
    values.push_back(one.value);
    counts.push_back(one.samples);
    result.samples += one.samples;
  }
  if (values.empty()) return result;
  result.state = EstimateState::value;
  result.reason.clear();
  result.problems = static_cast<int>(values.size());
  combine(column, std::move(values), counts, result);
  return result;
}

int largest_common_k(const Results& results) {
  int smallest = 0;
  for (const Problem& problem : results.problems) {
    if (problem.run == reference_run) continue;
    const auto known =
        std::count_if(problem.samples.begin(), problem.samples.end(), [](const Sample& s) { return s.outcome().pass == Knowledge::known; });
    const int n = static_cast<int>(known);
    smallest = smallest == 0 ? n : std::min(smallest, n);
    if (smallest == 0) return 1;
  }
  return std::max(smallest, 1);
}

}  // namespace assay::report
