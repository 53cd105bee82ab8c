// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "assay/report/error.h"
#include "assay/report/formats.h"
#include "assay/report/summary.h"
#include "assay/spec/nearest.h"

namespace assay::report {

namespace {

struct Threshold {
  std::string run, metric;
  double limit = 0;
};

Threshold parse(std::string_view text) {
  const auto equals = text.rfind('=');
  const auto colon = text.substr(0, equals).find(':');
  Threshold threshold;
  if (colon != std::string_view::npos) threshold.run = text.substr(0, colon);
  const auto begin = colon == std::string_view::npos ? 0 : colon + 1;
  if (equals != std::string_view::npos) threshold.metric = text.substr(begin, equals - begin);
  const std::string_view limit = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), threshold.limit);
  if (threshold.metric.empty() || error != std::errc() || end != limit.data() + limit.size() || !std::isfinite(threshold.limit))
    throw InputError(fmt::format("--fail-under: expected metric=value or run:metric=value (pass@1=0.8), got '{}'", text));
  return threshold;
}

std::size_t column_index(const Summary& summary, const std::string& metric) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < summary.columns.size(); ++i) {
    if (summary.columns[i].name == metric) return i;
    known.push_back(summary.columns[i].name);
  }
  throw InputError(fmt::format("--fail-under: unknown metric '{}'{}; known with these --k and --alpha: {}", metric,
                               spec::did_you_mean(metric, known), fmt::join(known, " ")));
}

ThresholdResult judge(const Summary& summary, const Group& group, std::size_t column, double limit) {
  const Estimate& estimate = group.estimates[column];
  ThresholdResult result{group.run, summary.columns[column].name, limit, false, false, ""};
  // Less than half of it was timed: what is left may meet the limit, and says little of the run.
  result.untimed = estimate.state == EstimateState::untimed || estimate.untimed > estimate.samples;
  const bool measured = estimate.state == EstimateState::value;
  result.met = measured && !result.untimed && estimate.value >= limit;
  result.got = !measured        ? estimate.reason
               : result.untimed ? fmt::format("{} of {} samples were timed", estimate.samples, estimate.samples + estimate.untimed)
                                : fmt::format("{:.6g}", estimate.value);
  return result;
}

}  // namespace

std::vector<ThresholdResult> check_threshold(const Summary& summary, std::string_view text) {
  const Threshold threshold = parse(text);
  const std::size_t column = column_index(summary, threshold.metric);
  std::vector<ThresholdResult> results;
  std::vector<std::string> known;
  for (const Group& group : summary.groups) {
    if (group.by != By::run) continue;
    known.push_back(group.run);
    const bool asked = threshold.run.empty() ? group.run != reference_run : group.run == threshold.run;
    if (asked) results.push_back(judge(summary, group, column, threshold.limit));
  }
  if (results.empty())
    throw InputError(threshold.run.empty() ? fmt::format("--fail-under {}: there is no run but {}; name it as {}:{}", text, reference_run,
                                                         reference_run, text)
                                           : fmt::format("--fail-under: no run '{}'{}; known: {}", threshold.run,
                                                         spec::did_you_mean(threshold.run, known), fmt::join(known, " ")));
  return results;
}

}  // namespace assay::report
