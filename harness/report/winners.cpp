// SPDX-License-Identifier: Apache-2.0
#include "assay/report/winners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "assay/report/error.h"

namespace assay::report {

using record::Speedup, record::Stage, record::TestName;

namespace {

/// CTest's compiled expressions end at 64 KiB or less, depending on its version.
constexpr std::size_t longest_expression = 16000;

/// All that could be the best: those whose intervals reach the lower end of the largest estimate's.
void add_contenders(const Problem& problem, std::vector<const Sample*>& contenders) {
  std::vector<std::pair<const Sample*, Speedup>> timed;
  for (const Sample& sample : problem.samples)
    if (const auto speedup = sample.outcome().speedup) timed.emplace_back(&sample, *speedup);
  if (timed.size() < 2) return;
  const auto best = std::ranges::max_element(timed, {}, [](const auto& each) { return each.second.estimate; });
  for (const auto& [sample, speedup] : timed)
    if (speedup.high >= best->second.low) contenders.push_back(sample);
}

}  // namespace

std::vector<const Sample*> winners(const Results& results) {
  std::vector<const Sample*> contenders;
  for (const Problem& problem : results.problems)
    if (problem.run != reference_run) add_contenders(problem, contenders);
  return contenders;
}

std::vector<std::string> bench_expressions(const std::vector<const Sample*>& samples) {
  std::vector<std::string> expressions;
  for (const Sample* sample : samples) {
    std::string test;
    for (const char c : TestName{sample->name, Stage::bench}.text()) test += c == '.' ? std::string("[.]") : std::string(1, c);
    if (expressions.empty() || expressions.back().size() + test.size() > longest_expression) expressions.push_back("^(" + test);
    else expressions.back() += "|" + test;
  }
  for (std::string& expression : expressions) expression += ")$";
  return expressions;
}

void add_retimed(Results& results, const Results& retimed) {
  std::map<std::string, Sample*> known;
  for (Problem& problem : results.problems)
    for (Sample& sample : problem.samples) known.emplace(sample.name.text(), &sample);
  for (const Problem& problem : retimed.problems)
    for (const Sample& sample : problem.samples) {
      const auto found = known.find(sample.name.text());
      if (found == known.end())
        throw InputError(fmt::format("--retimed: {} holds {}, which the evaluation does not; pass the files of one evaluation",
                                     fmt::join(retimed.files, ", "), sample.name.text()));
      // A second timing need not repeat the stages before it.
      Sample again = sample;
      for (std::size_t stage = 0; stage < again.stages.size(); ++stage)
        if (!again.stages[stage]) again.stages[stage] = found->second->stages[stage];
      found->second->retimed = again.outcome();
      ++results.retimed;
    }
  results.retimed_files = retimed.files;
  results.canaries.insert(results.canaries.end(), retimed.canaries.begin(), retimed.canaries.end());
  results.harness_errors.insert(results.harness_errors.end(), retimed.harness_errors.begin(), retimed.harness_errors.end());
}

}  // namespace assay::report
