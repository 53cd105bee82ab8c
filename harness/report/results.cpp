// SPDX-License-Identifier: Apache-2.0
// collect() is the table of contents: shards -> tests by name -> stages -> samples -> problems.
#include "assay/report/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "assay/record/output.h"
#include "assay/report/error.h"
#include "assay/spec/nearest.h"

namespace assay::report {

using record::Record, record::RecordError, record::SampleName, record::Stage, record::TestName, record::Verdict, record::all_stages,
    record::is_failure, record::is_own_fixture, record::parse_record, record::parse_test_name, record::record_prefix;

namespace {

struct FoundTest {
  TestCase test;
  std::string file;
};

using SamplesByName = std::map<SampleName, Sample>;

/// By test's name, in every shard; only candidates are unique.
struct Tests {
  std::map<std::string, FoundTest> candidates;
  std::map<std::string, FoundTest> failed_fixtures;
  std::vector<Canary> canaries;
  std::vector<std::pair<FoundTest, FoundTest>> duplicates;
};

bool same_result(const TestCase& a, const TestCase& b) { return a.status == b.status && a.output == b.output; }

/// Names a test whose results differ, if there is one: that is the graver matter.
void refuse_duplicates(const Tests& tests) {
  if (tests.duplicates.empty()) return;
  const auto differ = [](const auto& pair) { return !same_result(pair.first.test, pair.second.test); };
  const auto different = std::find_if(tests.duplicates.begin(), tests.duplicates.end(), differ);
  const bool same = different == tests.duplicates.end();
  const auto& [first, second] = same ? tests.duplicates.front() : *different;
  const std::string where =
      first.file == second.file ? fmt::format("twice in {}", first.file) : fmt::format("in {} and in {}", first.file, second.file);
  throw InputError(same ? fmt::format("test '{}' is {} with the same result ({} such tests); name each shard "
                                      "once, and split shards "
                                      "by sample (ctest -R), not by stage",
                                      first.test.name, where, tests.duplicates.size())
                        : fmt::format("test '{}' is {} with different results ({} tests are there twice); "
                                      "report one evaluation of a "
                                      "candidate at a time, or give the second its own run name",
                                      first.test.name, where, tests.duplicates.size()));
}

void add_canary(const FoundTest& found, Tests& tests) {
  if (auto canary = read_canary(found.test.name, found.file, found.test.output)) tests.canaries.push_back(std::move(*canary));
  else tests.failed_fixtures.emplace(found.test.name, found);
}

/// Timings of a JUnit whose canary did not come out as it had to settle nothing.
void doubt_timings(const std::vector<Canary>& canaries, SamplesByName& samples) {
  std::map<std::string, std::string> doubts;
  for (const Canary& canary : canaries)
    if (std::string doubt = canary.doubt(); !doubt.empty()) doubts.emplace(canary.file, std::move(doubt));
  for (auto& [name, sample] : samples) {
    auto& bench = sample.stages[static_cast<std::size_t>(Stage::bench)];
    if (!bench || (bench->verdict != Verdict::pass && bench->verdict != Verdict::inconclusive)) continue;
    const auto doubt = doubts.find(bench->file);
    if (doubt == doubts.end()) continue;
    bench->verdict = Verdict::inconclusive;
    bench->detail = doubt->second;
    if (bench->record) bench->record->doubt = record::Doubt::machine;
  }
}

void sort_tests(const JUnit& shard, Tests& tests, Results& results) {
  int ours = 0;
  for (const TestCase& test : shard.tests) {
    const FoundTest found{test, shard.file};
    if (parse_test_name(test.name)) {
      const auto [it, fresh] = tests.candidates.emplace(test.name, found);
      if (!fresh) tests.duplicates.emplace_back(it->second, found);
      ++ours;
    } else if (is_own_fixture(test.name)) {
      // Fixtures run again in every shard that needs them; one failure is enough to be told of.
      if (test.status != TestStatus::run) tests.failed_fixtures.emplace(test.name, found);
      else if (is_canary(test.name)) add_canary(found, tests);
      ++ours;
    } else {
      results.foreign.push_back(test.name);
    }
  }
  if (ours == 0)
    throw InputError(
        fmt::format("{}: none of its {} tests is named <run>.<task>.<backend>.<NNN>.<stage> (the first is "
                    "'{}'); pass the JUnit of an evaluation",
                    shard.file, shard.tests.size(), shard.tests.front().name));
  results.tests += ours;
}

StageResult harness_error(const FoundTest& found, std::string detail) {
  return {Verdict::harness_error, std::move(detail), std::nullopt, false, found.file};
}

/// The record is the first line; anything before it would be another's.
std::optional<std::string> record_line(const TestCase& test) {
  if (!test.output.starts_with(record_prefix)) return std::nullopt;
  const auto end = test.output.find('\n');
  return test.output.substr(record_prefix.size(), end == std::string::npos ? end : end - record_prefix.size());
}

[[noreturn]] void refuse_truncated(const FoundTest& found) {
  throw InputError(
      fmt::format("{}: CTest cut off the record of test '{}'; set CTEST_CUSTOM_MAXIMUM_PASSED_TEST_OUTPUT_SIZE and "
                  "CTEST_CUSTOM_MAXIMUM_FAILED_TEST_OUTPUT_SIZE to 1048576 in CTestCustom.cmake of the build directory "
                  "and run ctest "
                  "again",
                  found.file, found.test.name));
}

/// Empty where the record is what a judge would write for this test; else what is wrong.
std::string contradiction(const TestName& name, const Record& record, TestStatus status) {
  if (record.sample != name.sample || record.stage != name.stage)
    return fmt::format("the record is of {}: forged or misplaced", TestName{record.sample, record.stage}.text());
  if (record.verdict == Verdict::inconclusive) return name.stage == Stage::bench ? "" : "INCONCLUSIVE is a verdict of bench alone";
  if (record.verdict == Verdict::pass && status == TestStatus::fail)
    return "the record says PASS but CTest says failed: the judge died or was killed after it";
  if (is_failure(record.verdict) && status == TestStatus::run)
    return fmt::format("the record says {} but CTest says passed", record::name(record.verdict));
  const bool judged = name.stage == Stage::test && record.verdict == Verdict::pass;
  if (judged && (!record.cases || record.cases->planned == 0 || record.cases->passed != record.cases->planned))
    return fmt::format("the record says PASS with {} of {} cases", record.cases ? record.cases->passed : 0,
                       record.cases ? record.cases->planned : 0);
  return "";
}

StageResult read_executed(const TestName& name, const FoundTest& found) {
  const auto line = record_line(found.test);
  if (!line) {
    if (is_truncated(found.test.output)) refuse_truncated(found);
    const std::string why = found.test.message.empty() ? "" : fmt::format(" (CTest: {})", found.test.message);
    return harness_error(found, fmt::format("the test ran but left no record{}: killed by CTest's own timeout, or the "
                                            "judge died",
                                            why));
  }
  try {
    Record record = parse_record(*line);
    const std::string wrong = contradiction(name, record, found.test.status);
    StageResult result{record.verdict, record.detail, std::nullopt, false, found.file};
    if (!wrong.empty()) return harness_error(found, wrong);
    result.record = std::move(record);
    return result;
  } catch (const RecordError& error) {
    if (is_truncated(found.test.output)) refuse_truncated(found);
    return harness_error(found, error.what());
  } catch (const record::VersionError& error) {
    throw InputError(fmt::format("{}: test '{}': {}", found.file, found.test.name, error.what()));
  }
}

/// Messages of CTest for a test that nobody is to blame for: no such device, or told to skip.
bool is_skip(const std::string& message) {
  return message.starts_with("SKIP_") || message == "Insufficient resources" || message == "Disabled";
}

StageResult read_not_run(const Sample& sample, const FoundTest& found) {
  for (const auto& earlier : sample.stages) {
    if (!earlier) continue;
    if (!earlier->verdict || *earlier->verdict == Verdict::harness_error || is_failure(*earlier->verdict))
      return {earlier->verdict, earlier->detail, std::nullopt, true, found.file};
  }
  if (found.test.status == TestStatus::disabled || is_skip(found.test.message))
    return {std::nullopt, found.test.message, std::nullopt, false, found.file};
  const std::string why = found.test.output.empty() ? found.test.message : found.test.output;
  return harness_error(found, fmt::format("CTest did not run it: {}", why));
}

void add_stage(Sample& sample, const TestName& name, const FoundTest& found) {
  const bool executed = found.test.status == TestStatus::run || found.test.status == TestStatus::fail;
  sample.stages[static_cast<std::size_t>(name.stage)] = executed ? read_executed(name, found) : read_not_run(sample, found);
}

SamplesByName read_samples(const std::map<std::string, FoundTest>& candidates) {
  // Stage by stage: whether a stage that did not run is the candidate's own doing shows in the earlier ones.
  SamplesByName samples;
  for (Stage stage : all_stages)
    for (const auto& [text, found] : candidates) {
      const auto name = parse_test_name(text);
      if (name->stage != stage) continue;
      Sample& sample = samples[name->sample];
      sample.name = name->sample;
      add_stage(sample, *name, found);
    }
  return samples;
}

/// What the records say of each task; a record that says otherwise than the first one is broken.
void describe_tasks(SamplesByName& samples, std::map<std::string, Record>& tasks) {
  for (auto& [sample_name, sample] : samples)
    for (auto& stage : sample.stages) {
      if (!stage || !stage->record) continue;
      const auto [it, fresh] = tasks.emplace(sample_name.task, *stage->record);
      const Record& first = it->second;
      if (fresh || (first.category == stage->record->category && first.difficulty == stage->record->difficulty &&
                    first.suites == stage->record->suites))
        continue;
      stage->verdict = Verdict::harness_error;
      stage->detail = fmt::format(
          "the record puts task {} elsewhere than that of {} does: other category, difficulty or "
          "suites",
          sample_name.task, first.sample.text());
    }
}

std::vector<std::string> vacuous_tasks(const SamplesByName& samples) {
  std::set<std::string> tasks;
  for (const auto& [name, sample] : samples)
    for (const Stage stage : all_stages)
      if (const Record* record = sample.record(stage); record != nullptr && record->vacuous) tasks.insert(name.task);
  return {tasks.begin(), tasks.end()};
}

std::vector<Problem> group_problems(SamplesByName samples, const std::map<std::string, Record>& tasks) {
  std::vector<Problem> problems;
  for (auto& [name, sample] : samples) {
    if (problems.empty() || problems.back().run != name.run || problems.back().task != name.task ||
        problems.back().backend != name.backend) {
      Problem problem{name.run, name.task, name.backend, "unknown", 0, {}, {}};
      if (const auto it = tasks.find(name.task); it != tasks.end()) {
        problem.category = it->second.category;
        problem.difficulty = it->second.difficulty;
        problem.suites = it->second.suites;
      }
      problems.push_back(std::move(problem));
    }
    problems.back().samples.push_back(std::move(sample));
  }
  return problems;
}

std::vector<HarnessError> list_harness_errors(const Results& results, const Tests& tests) {
  std::vector<HarnessError> errors;
  for (const auto& [name, found] : tests.failed_fixtures)
    errors.push_back({name, fmt::format("our own setup did not pass in {}: {}", found.file,
                                        found.test.message.empty() ? found.test.output : found.test.message)});
  for (const Problem& problem : results.problems)
    for (const Sample& sample : problem.samples)
      for (Stage stage : all_stages) {
        const StageResult* result = sample.stage(stage);
        if (!result || result->verdict != Verdict::harness_error) continue;
        errors.push_back({TestName{sample.name, stage}.text(), result->detail});
        break;
      }
  return errors;
}

}  // namespace

Results collect(const std::vector<JUnit>& shards) {
  Results results;
  Tests tests;
  for (const JUnit& shard : shards) {
    results.files.push_back(shard.file);
    sort_tests(shard, tests, results);
  }
  refuse_duplicates(tests);
  if (tests.candidates.empty())
    throw InputError(
        fmt::format("{}: only our own fixtures, no candidate's test; check the filters (-R, -L) that ctest was "
                    "given",
                    fmt::join(results.files, ", ")));
  SamplesByName samples = read_samples(tests.candidates);
  std::map<std::string, Record> tasks;
  describe_tasks(samples, tasks);
  doubt_timings(tests.canaries, samples);
  results.vacuous = vacuous_tasks(samples);
  results.canaries = std::move(tests.canaries);
  results.problems = group_problems(std::move(samples), tasks);
  results.harness_errors = list_harness_errors(results, tests);
  return results;
}

std::vector<std::string> tasks_without_bench(const Results& results) {
  std::set<std::string> tasks;
  for (const Problem& problem : results.problems)
    if (problem.has_no_bench()) tasks.insert(problem.task);
  return {tasks.begin(), tasks.end()};
}

Results without_vacuous(Results results) {
  std::erase_if(results.problems, [&](const Problem& problem) {
    return std::find(results.vacuous.begin(), results.vacuous.end(), problem.task) != results.vacuous.end();
  });
  return results;
}

Results only_runs(Results results, const std::vector<std::string>& runs) {
  if (runs.empty()) return results;
  std::set<std::string> known;
  for (const Problem& problem : results.problems) known.insert(problem.run);
  for (const std::string& run : runs)
    if (!known.count(run))
      throw InputError(fmt::format("--run {}: no such run{}; known: {}", run, spec::did_you_mean(run, {known.begin(), known.end()}),
                                   fmt::join(known, " ")));
  const auto wanted = [&](std::string_view run) { return std::find(runs.begin(), runs.end(), run) != runs.end(); };
  std::erase_if(results.problems, [&](const Problem& problem) { return !wanted(problem.run); });
  if (results.kept) {
    const auto run_of = [](std::string_view sample) { return sample.substr(0, sample.find('.')); };
    std::erase_if(results.kept->stale, [&](const StaleSample& stale) { return !wanted(run_of(stale.sample)); });
    std::erase_if(results.kept->gone, [&](const std::string& gone) { return !wanted(run_of(gone)); });
  }
  std::erase_if(results.harness_errors, [&](const HarnessError& error) {
    return !is_own_fixture(error.test) && !wanted(std::string_view(error.test).substr(0, error.test.find('.')));
  });
  return results;
}

}  // namespace assay::report
