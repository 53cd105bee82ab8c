// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "assay/cases/profile.h"
#include "assay/stages/stages.h"
#include "program_stage.h"

namespace assay::stages {

using cases::CaseFile, cases::ExpectedTensor, cases::find_profile, cases::fresh_seed, cases::prepare_all, cases::prepare_profile,
    cases::PreparedCase, cases::save_cases, cases::Seed, cases::seed_text;
using plan::Plan;

int prepare_task(const Plan& plan, std::optional<Seed> seed) {
  if (plan.toolchain.is_program()) return prepare_program(plan);
  const spec::Task task = spec::load_task(plan.task.task_yaml);
  oracle::require_known_operators(task.model);
  const Seed drawn = seed ? *seed : fresh_seed();
  const CaseFile cases = plan.settings.profile.empty() ? prepare_all(task, drawn, plan.settings.shapes)
                                                       : prepare_profile(task, find_profile(plan.settings.profile), drawn);
  std::filesystem::create_directories(plan.task.cases.parent_path());
  save_cases(cases, plan.task.cases);
  std::size_t elements = 0;
  for (const PreparedCase& entry : cases.cases)
    for (const ExpectedTensor& output : entry.outputs) elements += static_cast<std::size_t>(spec::element_count(output.shape));
  fmt::print("{}: {} cases, {} output elements, seed {}\n", task.name, cases.cases.size(), elements, seed_text(cases.seed));
  return 0;
}

}  // namespace assay::stages
