// SPDX-License-Identifier: Apache-2.0
// Nothing here depends on the clock: the same JUnit gives the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "assay/report/escape.h"
#include "assay/report/formats.h"

namespace assay::report {

using record::Record, record::Stage;

namespace {

using json = nlohmann::ordered_json;

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

constexpr std::string_view state_name(EstimateState state) {
  switch (state) {
    case EstimateState::value: return "value";
    case EstimateState::refused: return "refused";
    case EstimateState::not_run: return "not_run";
    case EstimateState::untimed: return "untimed";
    case EstimateState::empty: break;
  }
  return "empty";
}

json describe(const Estimate& estimate) {
  json result = {{"state", state_name(estimate.state)}, {"value", nullptr},           {"low", or_null(estimate.low)},
                 {"high", or_null(estimate.high)},      {"tasks", estimate.problems}, {"samples", estimate.samples},
                 {"untimed", estimate.untimed},         {"bounded", estimate.bounded}};
  if (estimate.state == EstimateState::value) result["value"] = estimate.value;
  else result["reason"] = estimate.reason;
  return result;
}

json describe_metrics(const Summary& summary) {
  json result = json::array();
  for (const Column& column : summary.columns) {
    const Metric& metric = *column.metric;
    result.push_back(
        {{"name", column.name},
         {"doc", fmt::format(fmt::runtime(metric.doc), fmt::arg("k", column.setting.k), fmt::arg("x", column.setting.threshold))},
         {"interval", metric.scale == Scale::proportion ? "wilson, this suite" : "student t over tasks"}});
  }
  return result;
}

json describe_groups(const Summary& summary) {
  json result = json::array();
  for (const Group& group : summary.groups) {
    json metrics = json::object(), verdicts = json::object();
    for (std::size_t i = 0; i < summary.columns.size(); ++i) metrics[summary.columns[i].name] = describe(group.estimates[i]);
    for (const auto& [verdict, count] : group.verdicts) verdicts[verdict] = count;
    result.push_back({{"by", name(group.by)},
                      {"run", group.run},
                      {"value", group.value},
                      {"tasks", group.problems.size()},
                      {"samples", group.samples()},
                      {"metrics", metrics},
                      {"verdicts", verdicts}});
  }
  return result;
}

/// What a report says of a sample as a whole, or in its own words.
bool is_said(std::string_view key) {
  constexpr std::string_view said[] = {"version", "run",     "task",   "category",   "backend", "sample",
                                       "stage",   "verdict", "detail", "difficulty", "suites"};
  return std::ranges::find(said, key) != std::end(said);
}

json describe_stage(const Sample& sample, Stage stage) {
  const StageResult* result = sample.stage(stage);
  if (!result) return nullptr;
  json object = {{"verdict", result->verdict ? json(name(*result->verdict)) : json("NOT_RUN")},
                 {"inherited", result->inherited},
                 {"detail", result->detail},
                 {"file", result->file}};
  const Record* record = sample.record(stage);
  if (!record) return object;
  // The name is said already; all else is the record's own.
  const json written = record::to_json(*record);
  for (const auto& [key, value] : written.items())
    if (!is_said(key)) object[key] = value;
  return object;
}

json describe_samples(const Summary& summary) {
  json result = json::array();
  for (const Problem& problem : summary.results.problems)
    for (const Sample& sample : problem.samples) {
      const auto verdict = sample.verdict();
      result.push_back({{"run", problem.run},
                        {"task", problem.task},
                        {"category", problem.category},
                        {"difficulty", problem.difficulty},
                        {"suites", problem.suites},
                        {"backend", problem.backend},
                        {"sample", sample.name.index},
                        {"verdict", verdict ? json(name(*verdict)) : json("NOT_RUN")},
                        {"compile", describe_stage(sample, Stage::compile)},
                        {"test", describe_stage(sample, Stage::test)},
                        {"bench", describe_stage(sample, Stage::bench)}});
    }
  return result;
}

json describe_comparisons(const Summary& summary) {
  json result = json::array();
  for (const RunComparison& comparison : summary.comparisons) {
    json rows = json::array();
    for (const PairedDifference& row : comparison.rows)
      rows.push_back({{"metric", row.metric},
                      {"kind", row.ratio ? "ratio" : "difference"},
                      {"tasks", row.problems},
                      {"better", row.better},
                      {"equal", row.equal},
                      {"worse", row.worse},
                      {"value", or_null(row.value)},
                      {"low", or_null(row.low)},
                      {"high", or_null(row.high)}});
    result.push_back({{"first", comparison.first}, {"second", comparison.second}, {"metrics", rows}});
  }
  return result;
}

json describe_thresholds(const Summary& summary) {
  json result = json::array();
  for (const ThresholdResult& t : summary.thresholds)
    result.push_back({{"run", t.run}, {"metric", t.metric}, {"limit", t.limit}, {"met", t.met}, {"got", t.got}});
  return result;
}

json describe_canaries(const Summary& summary) {
  json result = json::array();
  for (const Canary& canary : summary.results.canaries)
    result.push_back({{"when", canary.when()},
                      {"file", canary.file},
                      {"ratio", canary.ratio},
                      {"low99", canary.low},
                      {"high99", canary.high},
                      {"launches", canary.launches},
                      {"steal", canary.steal},
                      {"believed", canary.doubt().empty()}});
  return result;
}

json describe_harness_errors(const Summary& summary) {
  json result = json::array();
  for (const HarnessError& error : summary.results.harness_errors) result.push_back({{"test", error.test}, {"detail", error.detail}});
  return result;
}

/// null where the results are of a JUnit.
json describe_kept(const Summary& summary) {
  const auto& kept = summary.results.kept;
  if (!kept) return nullptr;
  json stale = json::array();
  for (const StaleSample& each : kept->stale) stale.push_back({{"sample", each.sample}, {"changed", each.changed}});
  return {
      {"oldest", kept->oldest},      {"newest", kept->newest}, {"stale", stale}, {"gone", kept->gone}, {"gone_counted", kept->gone_counted},
      {"generated", kept->generated}};
}

}  // namespace

void write_json(const Summary& summary, std::ostream& out) {
  const Context& context = summary.context;
  const json report = {
      {"version", 1},
      {"files", summary.results.files},
      {"tests", summary.results.tests},
      {"foreign_tests", summary.results.foreign.size()},
      {"settings",
       {{"k", summary.settings.k}, {"alpha", summary.settings.alpha}, {"fast", summary.settings.fast}, {"confidence", record::confidence}}},
      {"context",
       {{"tiers", context.tiers},
        {"machines", context.machines},
        {"profiles", context.profiles},
        {"efforts", context.efforts},
        {"targets", context.targets},
        {"caches", context.caches},
        {"devices", context.devices},
        {"baselines", context.baselines},
        {"seeds", context.seeds},
        {"trusts", context.trusts},
        {"vacuous", summary.results.vacuous},
        {"no_bench", tasks_without_bench(summary.results)},
        {"backends", context.backends}}},
      {"canaries", describe_canaries(summary)},
      {"kept", describe_kept(summary)},
      {"harness_errors", describe_harness_errors(summary)},
      {"metrics", describe_metrics(summary)},
      {"ranking", summary.ranking},
      {"groups", describe_groups(summary)},
      {"comparisons", describe_comparisons(summary)},
      {"thresholds", describe_thresholds(summary)},
      {"samples", describe_samples(summary)},
  };
  // In ASCII, for a terminal may be what reads it. Bytes that are no UTF-8 (file names) are replaced: a report is never lost for one.
  out << report.dump(1, ' ', true, json::error_handler_t::replace) << '\n';
}

}  // namespace assay::report
