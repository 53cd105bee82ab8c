// SPDX-License-Identifier: Apache-2.0
#include "assay/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "assay/report/error.h"
#include "assay/report/escape.h"
#include "assay/report/formats.h"
#include "assay/report/summary.h"
#include "assay/spec/whole_file.h"

namespace assay::report {

using record::printable;

namespace {

By grouping_named(const std::string& text) {
  std::string known;
  for (By by : all_groupings) {
    if (name(by) == text) return by;
    known += fmt::format(" {}", name(by));
  }
  throw InputError(fmt::format("--by: unknown grouping '{}'; known:{}", text, known));
}

MetricSettings settings_of(const ReportOptions& options, const Results& results) {
  MetricSettings settings;
  settings.k = options.k;
  if (settings.k.empty()) settings.k = {1, largest_common_k(results)};
  std::sort(settings.k.begin(), settings.k.end());
  settings.k.erase(std::unique(settings.k.begin(), settings.k.end()), settings.k.end());
  if (settings.k.front() < 1 || settings.k.back() > 1000)
    throw InputError(
        fmt::format("--k: expected whole numbers from 1 to 1000, got {}", settings.k.front() < 1 ? settings.k.front() : settings.k.back()));
  if (!std::isfinite(options.alpha) || options.alpha <= 0)
    throw InputError(fmt::format("--alpha: expected a number above 0, got {}", options.alpha));
  settings.alpha = options.alpha;
  return settings;
}

std::vector<JUnit> read_all(const std::vector<std::filesystem::path>& inputs) {
  std::vector<JUnit> shards;
  for (const auto& input : inputs) shards.push_back(read_junit(input));
  return shards;
}

std::unique_ptr<Summary> work_out(const ReportOptions& options) {
  Results results = collect(options.kept ? options.kept->shards : read_all(options.inputs));
  if (options.kept) results.kept = options.kept->notes;
  results = only_runs(std::move(results), options.runs);
  if (options.vacuous) results.vacuous.clear();
  else results = without_vacuous(std::move(results));
  const MetricSettings settings = settings_of(options, results);
  auto summary = summarize(std::move(results), settings);
  for (const std::string& runs : options.compare) summary->comparisons.push_back(compare(*summary, runs));
  for (const std::string& text : options.fail_under)
    for (ThresholdResult& result : check_threshold(*summary, text)) summary->thresholds.push_back(std::move(result));
  return summary;
}

void write_file(const std::filesystem::path& path, const Summary& summary, void (*write)(const Summary&, std::ostream&)) {
  if (path.empty()) return;
  std::ostringstream text;
  write(summary, text);
  spec::write_whole_file("report", path, text.view());
}

/// The sandboxes of `summary` that are weaker than `required`.
std::vector<std::string> weaker_tiers(const Summary& summary, const std::string& required) {
  if (required.empty()) return {};
  const auto wanted = record::tier_named(required);
  if (!wanted) throw InputError(fmt::format("--require-tier: unknown tier '{}'; known: {}", required, record::known_tiers()));
  std::vector<std::string> weaker;
  for (const std::string& tier : summary.context.tiers)
    if (record::tier_named(tier) < wanted) weaker.push_back(tier);
  return weaker;
}

int verdict_on(const Summary& summary, const std::vector<std::string>& weaker, std::ostream& err) {
  const auto missed = [](const ThresholdResult& t) { return !t.met && !t.untimed; };
  const auto untimed = [](const ThresholdResult& t) { return t.untimed; };
  for (const ThresholdResult& t : summary.thresholds) {
    if (missed(t)) err << fmt::format("assay report: run {} fell under {}={}: {}\n", t.run, t.metric, t.limit, t.got);
    if (untimed(t))
      err << fmt::format("assay report: {} of run {} says nothing, and the machine is to blame: {}. do: time again on a quiet machine\n",
                         t.metric, t.run, printable(t.got));
  }
  if (!summary.results.harness_errors.empty()) {
    err << fmt::format(
        "assay report: {} HARNESS_ERROR: the numbers are incomplete, repair the machine and run ctest "
        "again\n",
        summary.results.harness_errors.size());
    return report_harness_error;
  }
  if (std::ranges::any_of(summary.thresholds, untimed)) return report_harness_error;
  for (const std::string& tier : weaker)
    err << fmt::format("assay report: some samples were judged in the sandbox tier '{}', weaker than required; see `assay doctor`\n", tier);
  return !weaker.empty() || std::any_of(summary.thresholds.begin(), summary.thresholds.end(), missed) ? report_below_threshold
                                                                                                      : report_fine;
}

}  // namespace

int run_report(const ReportOptions& options, std::ostream& out, std::ostream& err) {
  try {
    const TextStyle style{options.colour, grouping_named(options.by), options.brief};
    const auto summary = work_out(options);
    const std::vector<std::string> weaker = weaker_tiers(*summary, options.require_tier);
    write_text(*summary, style, out);
    if (!out.flush()) throw std::runtime_error("the report cannot be printed: the disk or pipe takes no more");
    write_file(options.json, *summary, write_json);
    write_file(options.csv, *summary, write_csv);
    write_file(options.html, *summary, write_html);
    return verdict_on(*summary, weaker, err);
  } catch (const std::exception& error) {
    err << "assay report: " << printable(error.what()) << '\n';
    return report_bad_input;
  }
}

}  // namespace assay::report
