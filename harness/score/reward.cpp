// SPDX-License-Identifier: Apache-2.0
#include "assay/score/reward.h"

#include <algorithm>

namespace assay::score {
namespace {

using record::Record, record::Speedup, record::Stage, record::Verdict;

std::vector<Reward>& defined() {
  static std::vector<Reward> all;
  return all;
}

/// As the report counts it: a timing whose noise is the candidate's own has its lower bound, another one says nothing.
void read_timing(const Record& bench, Found& found) {
  if (bench.verdict == Verdict::inconclusive && bench.doubt != record::Doubt::candidate) {
    found.masked_speed = "INCONCLUSIVE: " + bench.detail;
    return;
  }
  found.findings.speedup = bench.speedup;
  found.findings.efficiency = bench.efficiency;
  if (bench.verdict == Verdict::pass || !bench.speedup) return;
  const double low = bench.speedup->low;
  found.findings.speedup = Speedup{low, low, low, std::min(low, bench.speedup->at_least)};
  if (bench.efficiency) found.findings.efficiency = *bench.efficiency * low / bench.speedup->estimate;
}

}  // namespace

bool define_reward(const Reward& reward) {
  auto& all = defined();
  all.insert(std::ranges::lower_bound(all, reward.name, {}, &Reward::name), reward);
  return true;
}

const std::vector<Reward>& all_rewards() { return defined(); }

const Reward* find_reward(std::string_view name) {
  const auto found = std::ranges::find(defined(), name, &Reward::name);
  return found == defined().end() ? nullptr : &*found;
}

Found findings_of(const std::vector<Record>& records) {
  Found found;
  found.masked_speed = "was not timed";
  for (const Record& record : records) {
    if (record.verdict == Verdict::harness_error) {
      found.masked = "HARNESS_ERROR: " + record.detail;
      return found;
    }
    if (record.vacuous) {
      found.masked = "vacuous: the problem's test passes a solution that does nothing";
      return found;
    }
    const bool good = !record::is_failure(record.verdict);
    if (record.stage == Stage::compile) found.findings.compiled = good;
    else found.findings.correct = good;
    if (!good) {
      found.masked_speed.clear();  // whatever it would have been: a wrong candidate has no speed
      return found;
    }
    if (record.stage == Stage::bench) {
      found.masked_speed.clear();
      read_timing(record, found);
    }
  }
  if (records.empty() || records.back().stage == Stage::compile) found.masked = "the stage test was not asked for";
  return found;
}

}  // namespace assay::score
