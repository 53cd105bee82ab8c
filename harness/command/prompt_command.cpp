// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "assay/generate/prompt.h"
#include "assay/plan/plan.h"
#include "assay/problem/problem_folder.h"
#include "commands.h"
#include "task_argument.h"

namespace assay::command {
static void add_prompt_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("prompt", "print what a model is asked for a task");
  auto task = std::make_shared<std::string>(), backend = std::make_shared<std::string>("cpp"),
       build = std::make_shared<std::string>("build/evaluate");
  command->add_option("task", *task, "name of a task, or its folder, task.yaml or <family>.yaml#<name>")->required();
  command->add_option("--backend", *backend, "backend of the answer")->capture_default_str();
  command->add_option("--build", *build, "configured build folder")->capture_default_str();
  auto choice = std::make_shared<generate::PromptChoice>();
  add_prompt_options(*command, *choice);
  command->callback([task, backend, build, choice] {
    const spec::TaskFile found = find_task(*task, *build);
    if (problem::is_problem(found.file)) {
      fmt::print("{}", problem::prompt_for(problem::read_problem(found.file)));
      return;
    }
    const spec::Task asked = spec::load_task(found);
    const plan::Toolchain toolchain = plan::load_toolchain(find_toolchain(*build, *backend));
    generate::MachineDescription machine = generate::this_machine();
    if (const auto declared = std::filesystem::path(*build) / "kernelassay" / asked.name / (*backend + ".plan.json"); exists(declared))
      machine.seconds = static_cast<int>(plan::load_plan(declared).task.time_limit.count());
    fmt::print("{}", generate::prompt_for(asked, describe_backend(toolchain), *choice, machine));
  });
}
static const bool prompt_defined = define_command("prompt", add_prompt_command);

}  // namespace assay::command
