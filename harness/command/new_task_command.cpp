// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "assay/generate/new_task.h"
#include "commands.h"

namespace assay::command {

static void add_new_task_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("new-task", "write a task that builds and passes at once, to be edited");
  auto name = std::make_shared<std::string>(), root = std::make_shared<std::string>(".");
  command->add_option("name", *name, "<category>/<task>")->required();
  command->add_option("--root", *root, "project that gets the task")->capture_default_str();
  command->callback([name, root] {
    const std::size_t slash = name->find('/');
    if (slash == std::string::npos) throw std::runtime_error(fmt::format("new-task: got '{}'. do: give <category>/<task>", *name));
    for (const auto& file : generate::write_new_task(*root, name->substr(0, slash), name->substr(slash + 1)))
      fmt::print("wrote {}\n", file.lexically_normal().string());
  });
}
static const bool new_task_defined = define_command("new-task", add_new_task_command);

}  // namespace assay::command
