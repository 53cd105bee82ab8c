// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "assay/generate/prompt.h"
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
  command->callback([task, backend, build, choice] { fmt::print("{}", prompt_in_build(*task, *backend, *build, *choice)); });
}
static const bool prompt_defined = define_command("prompt", add_prompt_command);

}  // namespace assay::command
