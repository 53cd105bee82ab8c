// SPDX-License-Identifier: Apache-2.0
// What a sample's stages amount to.
#include <fmt/format.h>

#include <algorithm>

#include "assay/report/results.h"

namespace assay::report {

using record::Folds, record::Record, record::Speedup, record::Stage, record::Verdict, record::is_failure;

namespace {

Knowledge knowledge(const StageResult* stage) {
  if (!stage || !stage->verdict) return Knowledge::not_run;
  return *stage->verdict == Verdict::harness_error ? Knowledge::left_out : Knowledge::known;
}

bool has_verdict(const StageResult* stage) { return stage && stage->verdict; }

void judge_compile(const Sample& sample, Outcome& outcome) {
  const StageResult* compile = sample.stage(Stage::compile);
  outcome.compile = knowledge(compile);
  outcome.compiles = outcome.compile == Knowledge::known && *compile->verdict == Verdict::pass;
  if (compile) return;
  // A shard may hold later stages alone, and only a library that was built can be tested.
  const Knowledge test = knowledge(sample.stage(Stage::test)), bench = knowledge(sample.stage(Stage::bench));
  outcome.compiles = test == Knowledge::known || bench == Knowledge::known;
  const bool left_out = test == Knowledge::left_out || bench == Knowledge::left_out;
  outcome.compile = outcome.compiles ? Knowledge::known : left_out ? Knowledge::left_out : Knowledge::not_run;
}

void judge_pass(const Sample& sample, Outcome& outcome) {
  const StageResult* test = sample.stage(Stage::test);
  const StageResult* bench = sample.stage(Stage::bench);
  outcome.pass = outcome.compile;
  if (!outcome.compiles) return;
  outcome.pass = knowledge(test);
  outcome.passes = outcome.pass == Knowledge::known && *test->verdict == Verdict::pass;
  if (!outcome.passes || !has_verdict(bench)) return;
  // Timed outputs are checked too, so bench can still convict, and its HARNESS_ERROR leaves the question
  // open.
  outcome.pass = knowledge(bench);
  outcome.passes = outcome.pass == Knowledge::known && !is_failure(*bench->verdict);
}

Folds equal_folds(double speedup) {
  Folds folds;
  folds.fill(speedup);
  return folds;
}

void count_lower_bound(const Record& record, Outcome& outcome) {
  outcome.bounded = true;
  if (!record.speedup) return;
  const double low = record.speedup->low;
  outcome.speedup = Speedup{low, low, low, std::min(low, record.speedup->at_least)};
  outcome.folds = equal_folds(low);
  if (record.efficiency) outcome.efficiency = *record.efficiency * low / record.speedup->estimate;
}

void judge_speed(const Sample& sample, Outcome& outcome) {
  const StageResult* bench = sample.stage(Stage::bench);
  outcome.speed = outcome.pass;
  if (!outcome.passes) return;
  outcome.speed = knowledge(bench);
  if (outcome.speed != Knowledge::known || !bench->record) return;
  if (*bench->verdict == Verdict::pass) {
    outcome.speedup = bench->record->speedup;
    if (outcome.speedup) outcome.folds = bench->record->folds.value_or(equal_folds(outcome.speedup->estimate));
    outcome.efficiency = bench->record->efficiency;
  } else if (*bench->verdict == Verdict::inconclusive) {
    if (bench->record->doubt == record::Doubt::candidate) count_lower_bound(*bench->record, outcome);
    else outcome.speed = Knowledge::untimed;
  }
}

}  // namespace

const StageResult* Sample::stage(Stage which) const {
  const auto& result = stages[static_cast<std::size_t>(which)];
  return result ? &*result : nullptr;
}

const Record* Sample::record(Stage which) const {
  const StageResult* result = stage(which);
  return result && result->record ? &*result->record : nullptr;
}

const StageResult* Sample::deciding() const {
  const StageResult* last = nullptr;
  for (const auto& result : stages) {
    if (!result || !result->verdict) continue;
    last = &*result;
    if (*result->verdict != Verdict::pass) return last;
  }
  return last;
}

std::optional<Verdict> Sample::verdict() const {
  const StageResult* result = deciding();
  if (!result) return std::nullopt;
  const bool tested = has_verdict(stage(Stage::test)) || has_verdict(stage(Stage::bench));
  if (*result->verdict == Verdict::pass && !tested) return std::nullopt;
  return result->verdict;
}

bool Sample::has_no_bench() const {
  return std::ranges::any_of(record::all_stages, [&](Stage which) {
    const Record* found = record(which);
    return found != nullptr && found->no_bench;
  });
}

Outcome Sample::outcome() const {
  Outcome outcome;
  judge_compile(*this, outcome);
  judge_pass(*this, outcome);
  judge_speed(*this, outcome);
  return outcome;
}

bool Problem::has_no_bench() const { return std::ranges::any_of(samples, &Sample::has_no_bench); }

std::string Problem::text() const { return fmt::format("{}/{}", task, backend); }

}  // namespace assay::report
