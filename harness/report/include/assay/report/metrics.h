// SPDX-License-Identifier: Apache-2.0
// The metrics: one row of the table in metrics.cpp each. A new metric is a new row; every table, file,
// threshold and comparison of the report follows from it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report/results.h"

namespace assay::report {

/// What the user chose.
struct MetricSettings {
  std::vector<int> k = {1};  ///< ascending, at least one
  double alpha = 1.0;
  std::vector<double> fast = {0.5, 1.0, 1.5, 2.0};
};

/// One choice of a metric's parameters.
struct Setting {
  int k = 1;
  double threshold = 1.0;
};

enum class Reads { compile, pass, speed };  ///< the last stage whose result the metric needs
enum class Parameters { none, k, alpha_and_k, fast };
/// How problems become a group's value, and what its 95 % interval means.
/// proportion: mean of values in [0, 1]. Interval: Wilson with the effective number of trials M^2 / sum_i
/// k/n_i,
///   conditional on this suite (it says how much another draw of samples for the same tasks would move the
///   value). A problem's estimator is a U-statistic of order k, so its variance is at most k/n_i q_i(1-q_i)
///   (Hoeffding), and the mean of q_i(1-q_i) is at most q(1-q): the interval errs on the wide side, holds for
///   n = 1, and never collapses where all pass or all fail.
/// mean, geometric: (geometric) mean over problems. Interval: Student's t over problems, on the logarithm for
///   geometric; it generalises to tasks like these, since one sample per task tells nothing of its own
///   spread.
enum class Scale { proportion, mean, geometric };
enum class Weight { per_problem, per_sample };

struct Metric {
  std::string_view name;  ///< "pass@{k}"; {x} is the threshold
  std::string_view doc;
  Parameters parameters;
  Reads reads;
  Scale scale;
  Weight weight;
  /// The value of one problem from its counted samples (at least k of them); nullopt where it says nothing.
  std::optional<double> (*of_problem)(std::span<const Outcome> samples, Setting setting);
};

std::span<const Metric> all_metrics();

/// A metric with its parameters fixed, under its printed name: "speedup_1.5@5".
struct Column {
  std::string name;
  const Metric* metric;
  Setting setting;
};

std::vector<Column> columns(const MetricSettings& settings);

enum class EstimateState { value, refused, not_run, empty, untimed };

/// A group's value. `refused`: n < k for some problem; `not_run`: a stage that the metric needs was not run
/// for some sample; `empty`: no problem says anything (no passing sample); `untimed`: the machine's noise left too few timings.
/// `reason` explains all but `value`. A problem that is untimed is left out of a group's value: noise does not ask who is timed.
struct Estimate {
  EstimateState state = EstimateState::empty;
  double value = 0;
  std::optional<double> low, high;
  int problems = 0;  ///< that entered
  int samples = 0;   ///< counted, over those problems
  int untimed = 0;   ///< right, and left out since the machine's noise left their timing open; over all problems
  int bounded = 0;   ///< counted with the lower bound of a speedup that their own launches left open
  std::string reason;
};

/// One problem's value: `value.value` and how many samples were counted, without an interval.
Estimate evaluate(const Column& column, const Problem& problem);

/// A group's value with its 95 % interval.
Estimate evaluate(const Column& column, std::span<const Problem* const> problems);

/// The largest k for which every problem of every ranked run has k tested samples; 1 at least.
int largest_common_k(const Results& results);

}  // namespace assay::report
