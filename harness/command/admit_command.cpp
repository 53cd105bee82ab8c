// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "assay/admission/admission.h"
#include "assay/admission/torch_line.h"
#include "assay/cases/inputs.h"
#include "assay/oracle/evaluate.h"
#include "assay/spec/difficulty.h"
#include "commands.h"
#include "task_argument.h"

namespace assay::command {
namespace {

using admission::TorchComparison;

/// What there is to say of the torch line, on a line of its own.
std::string described(const TorchComparison& torch) {
  switch (torch.result) {
    case TorchComparison::Result::none: return "";
    case TorchComparison::Result::not_compared: return fmt::format("  torch line: not compared: {}\n", torch.said);
    case TorchComparison::Result::agrees: return "  torch line: says what the model says\n";
    case TorchComparison::Result::differs: break;
  }
  return fmt::format("  torch line: says something else than the model. do: make the two agree\n{}", torch.said);
}

/// A task with an oracle of its own has a model without a body to count.
std::string described_difficulty(const spec::Task& task) {
  const spec::Work work = spec::count_work(task.model);
  const int counted = spec::difficulty_of(work);
  if (task.harness.oracle || counted == task.difficulty) return "";
  return fmt::format(
      "  difficulty: given as {}, counted as {} (points {}, passes {}, products {}, loops {}; docs/tasks.md). do: difficulty: {}\n",
      task.difficulty, counted, work.points, work.passes, work.products, work.loops, counted);
}

void print(const admission::Admission& admission, const TorchComparison& torch) {
  fmt::print("{:<64} {:>8} {:>9}  {}\n", "alteration", "applied", "rejected", "first by");
  for (const admission::AlterationResult& a : admission.alterations)
    fmt::print("{:<64} {:>8} {:>9}  {}{}\n", a.name, a.applied, a.rejected, a.caught_by,
               !a.good()          ? "  <- not caught"
               : a.waived.empty() ? ""
                                  : "waived: " + a.waived);
  for (const admission::Finding& finding : admission.findings)
    fmt::print("{:<64} {:>8} {:>9}  {}\n", finding.name, "", "", finding.waived.empty() ? "  <- found" : "waived: " + finding.waived);
  const std::size_t tried = static_cast<std::size_t>(
      std::ranges::count_if(admission.alterations, [](const admission::AlterationResult& a) { return a.applied > 0; }));
  fmt::print("\n{}: {}: {} alterations with an effect, {} draws of honest kernels, seed {}\n", admission.task,
             torch.result == TorchComparison::Result::differs ? "refused"
             : admission.admitted()                           ? "admitted"
             : admission.as_declared()                        ? "degenerate, as marked"
                                                              : "refused",
             tried, admission.honest_runs, cases::seed_text(admission.seed));
  for (const std::string& reason : admission.reasons()) fmt::print("  {}\n", reason);
  fmt::print("{}", described(torch));
}

}  // namespace

static void add_admit_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("admit", "show that a task's cases reject altered outputs and accept honest kernels");
  auto task = std::make_shared<std::string>(), build = std::make_shared<std::string>("build/evaluate"),
       seed = std::make_shared<std::string>();
  auto runs = std::make_shared<int>(1);
  auto python = std::make_shared<std::string>("python3");
  command->add_option("task", *task, "name of a task, or its folder, task.yaml or <family>.yaml#<name>")->required();
  command->add_option("--build", *build, "configured build folder that knows the name")->capture_default_str();
  command->add_option("--seed", *seed, "replay this seed (default: ASSAY_SEED, else a fresh one)");
  command->add_option("--runs", *runs, "draws on which honest kernels must pass")->capture_default_str()->check(CLI::PositiveNumber);
  command->add_option("--torch", *python, "a Python; where it has PyTorch, it evaluates the task's torch line")
      ->envname("KERNELASSAY_TORCH_PYTHON")
      ->capture_default_str();
  command->callback([=, &exit_code] {
    const spec::Task loaded = spec::load_task(find_task(*task, *build));
    oracle::require_known_operators(loaded.model);
    const cases::Seed drawn = seed->empty() ? cases::fresh_seed() : cases::parse_seed(*seed, "admit: --seed");
    const admission::Admission admission = admission::admit(loaded, drawn, *runs);
    const TorchComparison torch = admission::compare_torch_line(loaded, drawn, *python);
    print(admission, torch);
    fmt::print("{}", described_difficulty(loaded));
    exit_code = admission.as_declared() && torch.result != TorchComparison::Result::differs ? 0 : 1;
  });
}
static const bool admit_defined = define_command("admit", add_admit_command);

}  // namespace assay::command
