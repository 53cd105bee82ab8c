// SPDX-License-Identifier: Apache-2.0
#include "assay/report/winners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "assay/report/error.h"

namespace assay {

namespace {

/// CTest's compiled expressions end at 64 KiB or less, depending on its version.
constexpr std::size_t longest_expression = 16000;

const Sample* winner(const Problem& problem) {
  const Sample* best = nullptr;
  double fastest = 0;
  int timed = 0;
  for (const Sample& sample : problem.samples) {
    const auto speedup = sample.outcome().speedup;
    if (!speedup) continue;
    ++timed;
    if (speedup->estimate <= fastest) continue;
    fastest = speedup->estimate;
    best = &sample;
  }
  return timed > 1 ? best : nullptr;
}

}  // namespace

std::vector<const Sample*> winners(const Results& results) {
  std::vector<const Sample*> best;
  for (const Problem& problem : results.problems)
    if (problem.run != reference_run)
      if (const Sample* sample = winner(problem)) best.push_back(sample);
  return best;
}

std::vector<std::string> bench_expressions(const std::vector<const Sample*>& samples) {
  std::vector<std::string> expressions;
  for (const Sample* sample : samples) {
    std::string test;
    for (const char c : sample->name.text() + ".bench") test += c == '.' ? std::string("[.]") : std::string(1, c);
    if (expressions.empty() || expressions.back().size() + test.size() > longest_expression)
      expressions.push_back("^(" + test);
    else
      expressions.back() += "|" + test;
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
      found->second->retimed = sample.outcome();
      ++results.retimed;
    }
  results.retimed_files = retimed.files;
  results.canaries.insert(results.canaries.end(), retimed.canaries.begin(), retimed.canaries.end());
  results.harness_errors.insert(results.harness_errors.end(), retimed.harness_errors.begin(), retimed.harness_errors.end());
}

}  // namespace assay
