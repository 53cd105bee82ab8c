// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/against_itself.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace assay::timing {

using cases::CaseFile, cases::load_cases, cases::RandomStream, cases::Seed, cases::TimedDraw;
using plan::Plan;
using trial::baseline_program, trial::BoxProgram;

ShapeTimes time_against_itself(const Plan& plan, const BoxProgram& program, const sandbox::Processors& processors, const Seed& seed,
                               int pairs, const std::function<bool(const LogRatios&)>& enough) {
  const CaseFile cases = load_cases(plan.task.timing());
  if (cases.timing.empty())
    throw std::runtime_error(fmt::format("canary: task {} has no timing: {}", plan.task.name, plan.settings.shapes));
  const PairedSetting setting{program, program, std::make_shared<IdleBox>(baseline_program(plan)), processors,
                              plan.settings.cache == "cold"};
  RandomStream random(seed, {"order"});
  const spec::Task task = spec::load_checked_task(plan.task.task_yaml);
  TimedDraw draw(task, cases.timing.front(), 0, seed, pairs, cases.profile);
  ShapeTimes times;
  while (!enough(times.log_ratios)) {
    // A baseline remembers nothing, and nobody cheats against himself: one launch's inputs do for all.
    times.add(time_launch(setting, draw, 0, random));
  }
  judge_due(setting, draw);
  return times;
}

}  // namespace assay::timing
