// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "assay/generate/prompt.h"
#include "assay/plan/plan.h"
#include "commands.h"
#include "task_argument.h"

namespace assay {
void add_prompt_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("prompt", "print what a model is asked for a task");
  auto task = std::make_shared<std::string>(), backend = std::make_shared<std::string>("cpp"),
       build = std::make_shared<std::string>("build/evaluate");
  command->add_option("task", *task, "name of the task")->required();
  command->add_option("--backend", *backend, "backend of the answer")->capture_default_str();
  command->add_option("--build", *build, "configured build folder")->capture_default_str();
  command->callback([task, backend, build] {
    const plan::Plan plan = plan::load_plan(find_plan(*build, *task, *backend));
    fmt::print("{}", prompt_for(load_task(plan.task.task_yaml), {plan.toolchain.backend, plan.toolchain.suffix, plan.toolchain.compile,
                                                                 plan.toolchain.launches(), plan.toolchain.types}));
  });
}

}  // namespace assay
