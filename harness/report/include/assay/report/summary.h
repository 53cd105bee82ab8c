// SPDX-License-Identifier: Apache-2.0
// Everything that a report says, worked out once; text.cpp, html.cpp, json.cpp and csv.cpp only write it
// down.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "assay/report/metrics.h"
#include "assay/report/results.h"

namespace assay::report {

enum class By { run, category, difficulty, suite, backend };

inline constexpr By all_groupings[] = {By::run, By::category, By::difficulty, By::suite, By::backend};
std::string_view name(By by);

/// The problems of one run that share a category, difficulty, suite or backend (`value`; empty for By::run).
struct Group {
  By by = By::run;
  std::string run;
  std::string value;
  std::vector<const Problem*> problems;
  std::vector<Estimate> estimates;      ///< one per column
  std::map<std::string, int> verdicts;  ///< by name, "NOT_RUN" for samples without one

  int samples() const;
};

/// What every number was measured under; each list sorted, without repeats.
struct Context {
  std::vector<std::string> tiers, machines, devices, profiles, efforts, targets, caches, baselines, seeds, backends, trusts;
};

/// One metric's paired differences between two runs over the problems that both have.
struct PairedDifference {
  std::string metric;
  bool ratio = false;  ///< `value` is second/first, else second - first
  int problems = 0;
  int better = 0, equal = 0, worse = 0;  ///< of the second run, in problems
  std::optional<double> value, low, high;
};

/// Paired differences of two runs.
struct RunComparison {
  std::string first, second;
  std::vector<PairedDifference> rows;
};

/// `metric` of `run` had to reach `limit`.
struct ThresholdResult {
  std::string run, metric;
  double limit = 0;
  bool met = false;
  bool untimed = false;  ///< the machine's noise left nothing to be judged by
  std::string got;
};

struct Summary {
  Results results;
  MetricSettings settings;
  std::vector<Column> columns;
  Context context;
  std::vector<Group> groups;         ///< all runs and groupings; By::run first, ranked
  std::vector<std::string> ranking;  ///< by pass@k of the smallest k, then geometric mean speedup; without `reference`
  std::vector<RunComparison> comparisons;
  std::vector<ThresholdResult> thresholds;

  const Group* run(std::string_view name) const;
  std::vector<const Group*> groups_of(std::string_view run, By by) const;
  const Estimate& estimate(const Group& group, std::string_view column) const;
  /// "before 1.001 [0.997, 1.005], after 0.999 [0.996, 1.002]", with the file where there are several; empty without.
  std::string canaries() const;
  /// Why timings are not believed: the first doubt of each file.
  std::vector<std::string> doubts() const;
  std::string pass_column() const;  ///< pass@k of the smallest k: what runs are ranked by
};

/// The run `reference` in one sentence ("references: 31/31 pass, median speedup 1.24x") and a line for each
/// failure.
struct ReferenceSummary {
  std::string sentence;
  std::vector<std::string> failures;
};

/// nullopt where there is no run `reference`.
std::optional<ReferenceSummary> reference_summary(const Summary& summary);

/// Works out all groups. Groups point into the returned Summary's own results.
std::unique_ptr<Summary> summarize(Results results, MetricSettings settings);

/// `runs` is "first,second". Throws InputError for an unknown run or where they share no problem.
RunComparison compare(const Summary& summary, std::string_view runs);

/// `text` is "metric=value" (every run but `reference`) or "run:metric=value". Throws InputError for a
/// malformed text, an unknown metric (listing the known ones) or an unknown run. A metric that could not be
/// computed is missed.
std::vector<ThresholdResult> check_threshold(const Summary& summary, std::string_view text);

}  // namespace assay::report
