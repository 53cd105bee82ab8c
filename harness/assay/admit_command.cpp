// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "assay/admission/admission.h"
#include "assay/cases/inputs.h"
#include "assay/oracle/evaluate.h"
#include "commands.h"
#include "task_argument.h"

namespace assay {
namespace {

void print(const admission::Admission& admission) {
  fmt::print("{:<64} {:>8} {:>9}  {}\n", "alteration", "applied", "rejected", "first by");
  for (const admission::AlterationResult& a : admission.alterations)
    fmt::print("{:<64} {:>8} {:>9}  {}{}\n", a.name, a.applied, a.rejected, a.caught_by, a.good() ? "" : "  <- not caught");
  const std::size_t tried = static_cast<std::size_t>(
      std::ranges::count_if(admission.alterations, [](const admission::AlterationResult& a) { return a.applied > 0; }));
  fmt::print("\n{}: {}: {} alterations with an effect, {} draws of honest kernels, seed {}\n", admission.task,
             admission.admitted()           ? "admitted"
             : admission.degenerate.empty() ? "refused"
                                            : "degenerate, as marked",
             tried, admission.honest_runs, cases::seed_text(admission.seed));
  for (const std::string& reason : admission.reasons()) fmt::print("  {}\n", reason);
}

}  // namespace

void add_admit_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("admit", "show that a task's cases reject altered outputs and accept honest kernels");
  auto task = std::make_shared<std::string>(), build = std::make_shared<std::string>("build/evaluate"),
       seed = std::make_shared<std::string>();
  auto runs = std::make_shared<int>(1);
  command->add_option("task", *task, "name of a task, or its folder or task.yaml")->required();
  command->add_option("--build", *build, "configured build folder that knows the name")->capture_default_str();
  command->add_option("--seed", *seed, "replay this seed (default: ASSAY_SEED, else a fresh one)");
  command->add_option("--runs", *runs, "draws on which honest kernels must pass")->capture_default_str()->check(CLI::PositiveNumber);
  command->callback([=, &exit_code] {
    const Task loaded = load_task(find_task(*task, *build));
    require_known_operators(loaded.model);
    const admission::Admission admission =
        admission::admit(loaded, seed->empty() ? cases::fresh_seed() : cases::parse_seed(*seed, "admit: --seed"), *runs);
    print(admission);
    exit_code = admission.as_declared() ? 0 : 1;
  });
}

}  // namespace assay
