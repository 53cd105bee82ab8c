// SPDX-License-Identifier: Apache-2.0
#include "assay/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

namespace assay::report {

using record::Record, record::Stage, record::all_stages;

namespace {

constexpr std::array<std::string_view, 5> grouping_names = {"run", "category", "difficulty", "suite", "backend"};

std::vector<std::string> values_of(const Problem& problem, By by) {
  switch (by) {
    case By::run: return {""};
    case By::category: return {problem.category};
    case By::difficulty: return {problem.difficulty == 0 ? "unknown" : std::to_string(problem.difficulty)};
    case By::suite: return problem.suites;
    case By::backend: return {problem.backend};
  }
  return {};
}

std::vector<Group> group(const std::vector<Problem>& problems, By by) {
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const Problem& problem : problems) {
    const auto values = values_of(problem, by);
    for (const std::string& value : std::set<std::string>(values.begin(), values.end())) {
      Group& entry = groups[{problem.run, value}];
      entry.by = by;
      entry.run = problem.run;
      entry.value = value;
      entry.problems.push_back(&problem);
    }
  }
  std::vector<Group> result;
  for (auto& [key, entry] : groups) result.push_back(std::move(entry));
  return result;
}

void evaluate(Group& group, const std::vector<Column>& columns) {
  for (const Column& column : columns) group.estimates.push_back(report::evaluate(column, group.problems));
  for (const Problem* problem : group.problems)
    for (const Sample& sample : problem->samples) {
      const auto verdict = sample.verdict();
      ++group.verdicts[verdict ? std::string(name(*verdict)) : "NOT_RUN"];
    }
}

using Words = std::set<std::string>;

void add(Words& words, const std::string& word) {
  if (!word.empty()) words.insert(word);
}

std::vector<std::string> sorted(const Words& words) { return {words.begin(), words.end()}; }

Context context_of(const Results& results) {
  Words tiers, machines, devices, profiles, efforts, targets, caches, baselines, seeds, backends, trusts;
  for (const Problem& problem : results.problems)
    for (const Sample& sample : problem.samples) {
      add(backends, problem.backend);
      for (Stage stage : all_stages) {
        const Record* record = sample.record(stage);
        if (!record) continue;
        add(tiers, std::string(name(record->tier)));
        add(machines, record->machine);
        if (record->device) add(devices, fmt::format("{}: {}", record->device->platform, record->device->name));
        add(profiles, record->profile);
        add(trusts, record->trust);
        add(efforts, record->effort);
        add(targets, record->target);
        add(caches, record->cache);
        add(baselines, record->baseline);
        add(seeds, record->seed);
      }
    }
  return {sorted(tiers),  sorted(machines),  sorted(devices), sorted(profiles), sorted(efforts), sorted(targets),
          sorted(caches), sorted(baselines), sorted(seeds),   sorted(backends), sorted(trusts)};
}

/// A run without a value comes last; between two without, the name decides.
double rank_key(const Summary& summary, const Group& group, std::string_view column) {
  const Estimate& estimate = summary.estimate(group, column);
  return estimate.state == EstimateState::value ? estimate.value : -1.0;
}

void rank(Summary& summary) {
  const std::string pass = summary.pass_column();
  const auto key = [&](const Group& g) {
    return std::tuple(g.run == reference_run, -rank_key(summary, g, pass), -rank_key(summary, g, "geomean_speedup"), g.run);
  };
  const auto end = std::find_if(summary.groups.begin(), summary.groups.end(), [](const Group& g) { return g.by != By::run; });
  std::sort(summary.groups.begin(), end, [&](const Group& a, const Group& b) { return key(a) < key(b); });
  for (auto it = summary.groups.begin(); it != end; ++it)
    if (it->run != reference_run) summary.ranking.push_back(it->run);
}

}  // namespace

std::string_view name(By by) { return grouping_names[static_cast<std::size_t>(by)]; }

int Group::samples() const {
  int count = 0;
  for (const Problem* problem : problems) count += static_cast<int>(problem->samples.size());
  return count;
}

const Group* Summary::run(std::string_view name) const {
  for (const Group& group : groups)
    if (group.by == By::run && group.run == name) return &group;
  return nullptr;
}

std::vector<const Group*> Summary::groups_of(std::string_view run, By by) const {
  std::vector<const Group*> result;
  for (const Group& group : groups)
    if (group.by == by && group.run == run) result.push_back(&group);
  return result;
}

const Estimate& Summary::estimate(const Group& group, std::string_view column) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == column) return group.estimates[i];
  throw std::logic_error(fmt::format("no column '{}'", column));
}

std::string Summary::canaries() const {
  std::set<std::string> files;
  for (const Canary& canary : results.canaries) files.insert(canary.file);
  std::string text, file;
  for (const Canary& canary : results.canaries) {
    if (!text.empty()) text += ", ";
    if (files.size() > 1 && canary.file != file) text += canary.file + ": ";
    text += spell(canary);
    file = canary.file;
  }
  return text;
}

std::vector<std::string> Summary::doubts() const {
  std::map<std::string, std::string> by_file;
  for (const Canary& canary : results.canaries)
    if (std::string doubt = canary.doubt(); !doubt.empty()) by_file.emplace(canary.file, std::move(doubt));
  std::vector<std::string> lines;
  for (const auto& [file, doubt] : by_file) lines.push_back(file + ": " + doubt);
  return lines;
}

std::string Summary::pass_column() const { return fmt::format("pass@{}", settings.k.front()); }

std::unique_ptr<Summary> summarize(Results results, MetricSettings settings) {
  auto summary = std::make_unique<Summary>();
  summary->results = std::move(results);
  summary->settings = std::move(settings);
  summary->columns = columns(summary->settings);
  summary->context = context_of(summary->results);
  for (By by : all_groupings)
    for (Group& entry : group(summary->results.problems, by)) {
      evaluate(entry, summary->columns);
      summary->groups.push_back(std::move(entry));
    }
  rank(*summary);
  return summary;
}

}  // namespace assay::report
