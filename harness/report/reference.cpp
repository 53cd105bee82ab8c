// SPDX-License-Identifier: Apache-2.0
// The known-good solutions take no rank; they say whether the suite itself can be believed.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "assay/report/summary.h"

namespace assay::report {

using record::Verdict;

namespace {

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

std::optional<ReferenceSummary> reference_summary(const Summary& summary) {
  const Group* group = summary.run(reference_run);
  if (!group) return std::nullopt;
  ReferenceSummary result;
  std::vector<double> speedups;
  int passed = 0, not_run = 0;
  for (const Problem* problem : group->problems)
    for (const Sample& sample : problem->samples) {
      const Outcome outcome = sample.outcome();
      passed += outcome.passes;
      not_run += outcome.pass == Knowledge::not_run;
      if (outcome.speedup) speedups.push_back(outcome.speedup->estimate);
      const StageResult* deciding = sample.deciding();
      if (!outcome.passes && deciding && *deciding->verdict != Verdict::pass)
        result.failures.push_back(fmt::format("{}: {} {}", sample.name.text(), name(*deciding->verdict), deciding->detail));
    }
  const auto middle = median(std::move(speedups));
  result.sentence =
      fmt::format("references: {}/{} pass{}{}", passed, group->samples() - not_run, not_run > 0 ? fmt::format(", {} not run", not_run) : "",
                  middle ? fmt::format(", median speedup {:.2f}x", *middle) : "");
  return result;
}

}  // namespace assay::report
