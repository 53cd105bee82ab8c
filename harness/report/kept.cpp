// SPDX-License-Identifier: Apache-2.0
#include "assay/report/kept.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "assay/record/output.h"
#include "assay/record/record.h"
#include "assay/record/test_name.h"
#include "assay/report/error.h"

namespace assay::report {

namespace {

using results::Basis, results::KeptResult;

constexpr std::size_t bench_stage = static_cast<std::size_t>(record::Stage::bench);
constexpr std::string_view canary_before = "assay.canary.before", canary_after = "assay.canary.after";

/// What is kept of one candidate, by stage.
using KeptSample = std::array<const KeptResult*, 3>;

/// Results by what they are of; canaries by time.
struct Sorted {
  std::map<std::string, KeptSample> samples;
  std::map<std::string, const KeptResult*> fixtures;
  std::vector<const KeptResult*> canaries;
};

/// Stages of another source than the one judged last are of a candidate that is no more.
void drop_older_sources(KeptSample& sample) {
  const KeptResult* newest = nullptr;
  for (const KeptResult* stage : sample)
    if (stage && (!newest || stage->began > newest->began)) newest = stage;
  for (const KeptResult*& stage : sample)
    if (stage && stage->basis.source != newest->basis.source) stage = nullptr;
}

/// Whether the record is of this version; a damaged one is for the report to tell of.
bool is_of_this_version(const KeptResult& result) try {
  if (!result.record.empty()) record::parse_record(result.record);
  return true;
} catch (const record::VersionError&) {
  return false;
} catch (const record::RecordError&) {
  return true;
}

Sorted sort_results(const std::vector<KeptResult>& results) {
  Sorted sorted;
  for (const KeptResult& result : results) {
    if (!is_of_this_version(result)) continue;
    if (const auto name = record::parse_test_name(result.test)) {
      sorted.samples[name->sample.text()][static_cast<std::size_t>(name->stage)] = &result;
    } else if (is_canary(result.test)) {
      sorted.canaries.push_back(&result);
    } else {
      sorted.fixtures[result.test] = &result;
    }
  }
  std::ranges::sort(sorted.canaries, {}, [](const KeptResult* canary) { return canary->began; });
  for (auto& [name, sample] : sorted.samples) drop_older_sources(sample);
  return sorted;
}

/// The canaries around a timing: the last one before it and the first one after it, where they are of the same session.
struct Frame {
  const KeptResult* before = nullptr;
  const KeptResult* after = nullptr;
};

Frame frame_of(const KeptResult& bench, const std::vector<const KeptResult*>& canaries) {
  const auto next = std::ranges::find_if(canaries, [&](const KeptResult* canary) { return canary->began >= bench.began; });
  Frame frame;
  if (next != canaries.begin() && (*std::prev(next))->test == canary_before) frame.before = *std::prev(next);
  if (next != canaries.end() && (*next)->test == canary_after) frame.after = *next;
  return frame;
}

/// Timings go to the shard of their canaries, by the time of the first of them; all else to that without a name.
class Shards {
 public:
  void add(const KeptResult& result) { shards_[""].tests.push_back(test_case_of(result)); }

  void add_timing(const KeptResult& result, const std::vector<const KeptResult*>& canaries) {
    const Frame frame = frame_of(result, canaries);
    const KeptResult* first = frame.before ? frame.before : frame.after;
    if (!first) return add(result);
    JUnit& shard = shards_[first->began];
    for (const KeptResult* canary : {frame.before, frame.after})
      if (canary && seen_.insert(canary).second) shard.tests.push_back(test_case_of(*canary));
    shard.tests.push_back(test_case_of(result));
  }

  std::vector<JUnit> take() {
    std::vector<JUnit> all;
    for (auto& [name, shard] : shards_) {
      shard.file = name.empty() ? "kept results" : fmt::format("timings since {}", spell_time(name));
      all.push_back(std::move(shard));
    }
    return all;
  }

 private:
  std::map<std::string, JUnit> shards_;
  std::set<const KeptResult*> seen_;
};

/// "source", "plan", "tool" and combinations: what is another one now.
std::string changes(const KeptSample& sample, const Basis& now) {
  std::vector<std::string> words;
  const auto differs = [&](std::string Basis::*part) {
    return std::ranges::any_of(sample, [&](const KeptResult* stage) { return stage && stage->basis.*part != now.*part; });
  };
  for (const auto& [part, word] : {std::pair(&Basis::source, "source"), std::pair(&Basis::plan, "plan"), std::pair(&Basis::tool, "tool")})
    if (differs(part)) words.emplace_back(word);
  return fmt::format("{}", fmt::join(words, ", "));
}

void note(const std::string& name, const KeptSample& sample, const DeclaredSamples& declared, KeptNotes& notes) {
  const auto found = declared.find(name);
  if (found == declared.end()) {
    notes.gone.push_back(name);
    return;
  }
  if (const std::string changed = changes(sample, found->second); !changed.empty()) notes.stale.push_back({name, changed});
  for (const KeptResult* stage : sample) {
    if (!stage) continue;
    if (notes.oldest.empty() || stage->began < notes.oldest) notes.oldest = stage->began;
    notes.newest = std::max(notes.newest, stage->began);
  }
}

/// Fixtures that failed, and that nothing which needs them has got over since.
void add_failed_fixtures(const Sorted& sorted, const DeclaredSamples& declared, Shards& shards) {
  const auto needed_in_vain = [&](const std::string& fixture, const KeptResult& result) {
    bool needed = false;
    for (const auto& [name, basis] : declared) {
      const std::string task = record::parse_test_name(name + ".test")->sample.task;
      const bool is_cases = fixture == fmt::format("assay.{}.cases", task);
      if (!is_cases && fixture != fmt::format("assay.{}.timing", task) && fixture != "assay.machine") continue;
      needed = true;
      const auto sample = sorted.samples.find(name);
      const KeptResult* later = sample == sorted.samples.end() ? nullptr : sample->second[is_cases ? 1 : bench_stage];
      if (later && later->began > result.began) return false;
    }
    return needed;
  };
  for (const auto& [name, result] : sorted.fixtures)
    if (result->exit_code != 0 && needed_in_vain(name, *result)) shards.add(*result);
}

/// Whether a stage was judged, and as what it is now.
bool is_judged(const KeptResult* stage, const Basis& now) {
  if (!stage || !stage->is_complete() || stage->basis != now) return false;
  try {
    return record::parse_record(stage->record).verdict != record::Verdict::harness_error;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

TestCase test_case_of(const KeptResult& result) {
  if (!result.is_complete()) return {result.test, TestStatus::fail, "", ""};
  const std::string record = result.record.empty() ? "" : fmt::format("{}{}\n", record::record_prefix, result.record);
  return {result.test, result.exit_code == 0 ? TestStatus::run : TestStatus::fail, "", record + result.output};
}

std::string spell_time(std::string_view time) {
  return fmt::format("{} {} UTC", time.substr(0, std::min<std::size_t>(10, time.size())), time.size() < 19 ? "" : time.substr(11, 8));
}

KeptEvaluation kept_evaluation(const std::vector<KeptResult>& results, const DeclaredSamples& declared, bool with_gone) {
  const Sorted sorted = sort_results(results);
  KeptEvaluation evaluation;
  Shards shards;
  for (const auto& [name, sample] : sorted.samples) {
    note(name, sample, declared, evaluation.notes);
    if (!with_gone && !declared.contains(name)) continue;
    for (std::size_t stage = 0; stage < bench_stage; ++stage)
      if (sample[stage]) shards.add(*sample[stage]);
    if (const KeptResult* bench = sample[bench_stage]) shards.add_timing(*bench, sorted.canaries);
  }
  evaluation.notes.gone_counted = with_gone;
  for (const KeptResult& result : results)
    if (!is_of_this_version(result)) evaluation.notes.stale.push_back({result.test, "of another version, not counted"});
  add_failed_fixtures(sorted, declared, shards);
  evaluation.shards = shards.take();
  return evaluation;
}

std::vector<std::string> tests_to_run(const std::vector<std::string>& listed, const std::vector<KeptResult>& results,
                                      const DeclaredSamples& declared) {
  const Sorted sorted = sort_results(results);
  std::map<std::string, std::array<std::string, 3>> wanted;
  for (const std::string& test : listed)
    if (const auto name = record::parse_test_name(test)) wanted[name->sample.text()][static_cast<std::size_t>(name->stage)] = test;
  std::vector<std::string> chosen;
  for (const auto& [name, stages] : wanted) {
    const auto now = declared.find(name);
    const auto sample = sorted.samples.find(name);
    bool judge = now == declared.end() || sample == sorted.samples.end();
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const KeptResult* kept = judge ? nullptr : sample->second[stage];
      judge = judge || !is_judged(kept, now->second);
      if (judge && !stages[stage].empty()) chosen.push_back(stages[stage]);
      if (!judge && record::is_failure(record::parse_record(kept->record).verdict)) break;
    }
  }
  return chosen;
}

}  // namespace assay::report
