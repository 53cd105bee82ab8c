// SPDX-License-Identifier: Apache-2.0
// Two runs side by side, problem by problem: what both find hard cancels, so a difference shows that two
// separate intervals would hide.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

#include "assay/report/error.h"
#include "assay/report/statistics.h"
#include "assay/report/summary.h"
#include "assay/spec/nearest.h"

namespace assay::report {

namespace {

const Group& run_named(const Summary& summary, const std::string& name) {
  if (const Group* group = summary.run(name)) return *group;
  std::vector<std::string> known;
  for (const Group& group : summary.groups)
    if (group.by == By::run) known.push_back(group.run);
  throw InputError(fmt::format("--compare: no run '{}'{}; known: {}", name, spec::did_you_mean(name, known), fmt::join(known, " ")));
}

using Pairs = std::vector<std::pair<const Problem*, const Problem*>>;

Pairs shared_problems(const Group& first, const Group& second) {
  std::map<std::string, const Problem*> by_name;
  for (const Problem* problem : first.problems) by_name[problem->text()] = problem;
  Pairs pairs;
  for (const Problem* problem : second.problems)
    if (const auto it = by_name.find(problem->text()); it != by_name.end()) pairs.emplace_back(it->second, problem);
  return pairs;
}

void summarise_differences(const Column& column, const std::vector<double>& differences, PairedDifference& row) {
  row.value = mean(differences);
  std::optional<Bounds> bounds = t_interval(differences);
  if (column.metric->scale == Scale::proportion) bounds = difference_interval(differences);
  if (row.ratio) {
    row.value = std::exp(*row.value);
    if (bounds) bounds = Bounds{std::exp(bounds->low), std::exp(bounds->high)};
  }
  if (!bounds) return;
  row.low = bounds->low;
  row.high = bounds->high;
}

PairedDifference difference(const Column& column, const Pairs& pairs) {
  PairedDifference row;
  row.metric = column.name;
  row.ratio = column.metric->scale == Scale::geometric;
  std::vector<double> differences;
  for (const auto& [first, second] : pairs) {
    const Estimate before = evaluate(column, *first), after = evaluate(column, *second);
    if (before.state != EstimateState::value || after.state != EstimateState::value) continue;
    differences.push_back(row.ratio ? std::log(after.value / before.value) : after.value - before.value);
    ++(differences.back() > 0 ? row.better : differences.back() < 0 ? row.worse : row.equal);
  }
  row.problems = static_cast<int>(differences.size());
  if (!differences.empty()) summarise_differences(column, differences, row);
  return row;
}

}  // namespace

RunComparison compare(const Summary& summary, std::string_view runs) {
  const auto comma = runs.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == runs.size())
    throw InputError(fmt::format("--compare: expected two runs as first,second, got '{}'", runs));
  RunComparison comparison{std::string(runs.substr(0, comma)), std::string(runs.substr(comma + 1)), {}};
  const Pairs pairs = shared_problems(run_named(summary, comparison.first), run_named(summary, comparison.second));
  if (pairs.empty())
    throw InputError(fmt::format("--compare: {} and {} have no task and backend in common; compare runs over the same tasks",
                                 comparison.first, comparison.second));
  for (const Column& column : summary.columns) comparison.rows.push_back(difference(column, pairs));
  return comparison;
}

}  // namespace assay::report
