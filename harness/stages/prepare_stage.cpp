// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <stdexcept>

#include "assay/cases/profile.h"
#include "assay/spec/suite.h"
#include "assay/stages/stages.h"
#include "program_stage.h"

namespace assay::stages {

using cases::CaseFile, cases::ExpectedTensor, cases::find_profile, cases::fresh_seed, cases::PreparedCase, cases::save_cases, cases::Seed,
    cases::seed_text;
using plan::Plan;

namespace {

spec::Task load(const Plan& plan) {
  spec::Task task = spec::load_task(plan.task.task_yaml);
  oracle::require_known_operators(task.model);
  return task;
}

/// What `task.timing` has the chosen shapes as: a task's own (cpu, gpu), or those that it has in a suite. Where it has none there, cpu's.
std::string find_shapes(const Plan& plan, spec::Task& task) {
  const std::string& chosen = plan.settings.shapes;
  if (const std::filesystem::path suite = plan.suite_of_shapes(); !suite.empty()) spec::add_rows(task, spec::load_suite(suite));
  return chosen == "gpu" || task.timing.contains(chosen) ? chosen : "cpu";
}

/// What `prepare` makes of the chosen shapes.
template <class Prepare>
CaseFile in_memory(const spec::Task& task, const std::string& shapes, Prepare prepare) {
  try {
    return prepare();
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(fmt::format(
        "task {}: tensors of its timing shapes '{}' do not fit in memory. do: give it smaller ones, or choose others", task.name, shapes));
  }
}

void save(const CaseFile& cases, const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  save_cases(cases, file);
}

}  // namespace

void prepare_cases(const Plan& plan, std::optional<Seed> seed) {
  if (plan.toolchain.is_program()) return prepare_program(plan);
  spec::Task task = load(plan);
  const Seed drawn = seed ? *seed : fresh_seed();
  const std::string& profile = plan.settings.profile;
  const std::string shapes = profile.empty() ? "" : find_shapes(plan, task);
  const CaseFile cases = profile.empty()
                             ? cases::prepare_cases(task, drawn)
                             : in_memory(task, shapes, [&] { return cases::prepare_cases(task, find_profile(profile), drawn, shapes); });
  save(cases, plan.task.cases);
  std::size_t elements = 0;
  for (const PreparedCase& entry : cases.cases)
    for (const ExpectedTensor& output : entry.outputs) elements += static_cast<std::size_t>(spec::element_count(output.shape));
  fmt::print("{}: {} cases, {} output elements, seed {}\n", task.name, cases.cases.size(), elements, seed_text(cases.seed));
}

void prepare_timing(const Plan& plan, std::optional<Seed> seed) {
  if (plan.toolchain.is_program()) return prepare_program_timing(plan);
  spec::Task task = load(plan);
  oracle::keep_blocks(std::size_t{4} << 30);
  const Seed drawn = seed ? *seed : fresh_seed();
  const std::string shapes = find_shapes(plan, task);
  const std::string& profile = plan.settings.profile;
  const CaseFile timing = in_memory(task, shapes, [&] {
    return profile.empty() ? cases::prepare_timing(task, drawn, shapes) : cases::prepare_timing(task, find_profile(profile), drawn, shapes);
  });
  save(timing, plan.task.timing());
  fmt::print("{}: {} timing shapes, seed {}\n", task.name, timing.timing.size(), seed_text(timing.seed));
}

}  // namespace assay::stages
