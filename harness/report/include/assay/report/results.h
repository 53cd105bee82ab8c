// SPDX-License-Identifier: Apache-2.0
// From tests to samples: what is known of each candidate once all stages, and all shards, are put together.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/record/record.h"
#include "assay/report/canary.h"
#include "assay/report/junit.h"

namespace assay::report {

inline constexpr std::string_view reference_run = "reference";

/// One stage of one sample. No verdict: not run and no fault of anybody's (no device, disabled, skipped).
struct StageResult {
  std::optional<record::Verdict> verdict;
  std::string detail;
  std::optional<record::Record> record;
  bool inherited = false;  ///< not run because an earlier stage of the same sample failed
  std::string file;
};

/// Whether a metric may count a sample. `left_out`: HARNESS_ERROR, counts neither for nor against. `untimed`: it is right, and the
/// machine's noise, or a call that is too short, left its timing open.
enum class Knowledge { known, left_out, untimed, not_run };

/// What the metrics read of a sample. `passes` and `speedup` mean something only where the knowledge is
/// `known`.
struct Outcome {
  Knowledge compile = Knowledge::not_run;
  Knowledge pass = Knowledge::not_run;
  Knowledge speed = Knowledge::not_run;
  bool compiles = false;
  bool passes = false;
  /// nullopt for a failure, and for a pass whose timing has no interval. Where the candidate's own launches disagree, its lower bound
  /// throughout (`bounded`): a kernel that makes itself hard to time does not leave the means.
  std::optional<record::Speedup> speedup;
  record::Folds folds{};  ///< 0 without a speedup; all of them its estimate where the record has none
  std::optional<double> efficiency;
  bool bounded = false;
};

struct Sample {
  record::SampleName name;
  std::array<std::optional<StageResult>, 3> stages;  ///< indexed by Stage; nullopt: not in the JUnit

  const StageResult* stage(record::Stage which) const;
  const record::Record* record(record::Stage which) const;
  /// The stage that decides: the first that failed, else the last that ran. nullptr where none ran.
  const StageResult* deciding() const;
  /// Of the deciding stage. nullopt: compiled at most, never tested.
  std::optional<record::Verdict> verdict() const;
  Outcome outcome() const;
  bool has_no_bench() const;  ///< as any of its records says
};

/// All samples of one run for one task on one backend: the unit that metrics average over.
struct Problem {
  std::string run, task, backend;
  std::string category = "unknown";  ///< of the first record of the task
  int difficulty = 0;                ///< 0: no record says
  std::vector<std::string> suites;
  std::vector<Sample> samples;  ///< by index

  std::string text() const;   ///< "task/backend"
  bool has_no_bench() const;  ///< as any of its samples' records says: metrics of speed leave it out
};

struct HarnessError {
  std::string test;
  std::string detail;
};

/// The sample's results are older than what it is made of now: its source, its plan, the tools that judge.
struct StaleSample {
  std::string sample;
  std::string changed;  ///< "source", "plan, tool"
};

/// What is to be said of results that a build tree keeps.
struct KeptNotes {
  std::string oldest, newest;      ///< when the tests began
  std::vector<StaleSample> stale;  ///< counted
  std::vector<std::string> gone;   ///< samples whose candidate the build tree no longer has
  bool gone_counted = false;
  std::map<std::string, std::string> generated;  ///< run -> model, sampling and cost, in one line, of runs that were generated
};

/// "2026-11-23 10:59:13 UTC" of a time that a result keeps.
std::string spell_time(std::string_view time);

struct Results {
  std::vector<Problem> problems;             ///< by run, task, backend
  std::vector<HarnessError> harness_errors;  ///< one per sample or fixture, in the order of the tests' names
  std::vector<std::string> files;
  std::vector<Canary> canaries;      ///< of every shard
  std::vector<std::string> foreign;  ///< names of tests that are not ours
  std::vector<std::string> vacuous;  ///< tasks whose test passes a solution that does nothing
  int tests = 0;                     ///< of ours
  std::optional<KeptNotes> kept;     ///< where the results are a build tree's, not a JUnit's
};

/// Merges shards. Throws InputError where the same test is in two files (or twice in one), where a file holds
/// no test of ours, or where CTest cut a record off.
Results collect(const std::vector<JUnit>& shards);

/// Tasks that have no stage bench.
std::vector<std::string> tasks_without_bench(const Results& results);

/// Without the problems of the tasks `results.vacuous`, whose verdicts say nothing.
Results without_vacuous(Results results);

/// Keeps the runs named; all of them where `runs` is empty. Throws InputError for a run that is not there.
Results only_runs(Results results, const std::vector<std::string>& runs);

}  // namespace assay::report
