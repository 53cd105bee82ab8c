// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "assay/cases/inputs.h"
#include "assay/cases/oracle_files.h"
#include "assay/oracle/evaluate.h"
#include "commands.h"
#include "task_argument.h"

namespace assay::command {

static void add_oracle_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("oracle", "write a task's inputs and float64 results as .npy files");
  auto task = std::make_shared<std::string>(), build = std::make_shared<std::string>("build/evaluate"),
       out = std::make_shared<std::string>(), seed = std::make_shared<std::string>();
  auto cases = std::make_shared<std::vector<std::string>>();
  command->add_option("task", *task, "name of a task, or its folder, task.yaml or <family>.yaml#<name>")->required();
  command->add_option("--build", *build, "configured build folder that knows the name")
      ->envname("KERNELASSAY_BUILD")
      ->capture_default_str();
  command->add_option("--out", *out, "folder to write to: index.json, <case>/<tensor>.npy")->required();
  command->add_option("--cases", *cases, "names of cases (default: all)")->delimiter(',');
  command->add_option("--seed", *seed, "replay this seed (default: ASSAY_SEED, else a fresh one)");
  command->callback([task, build, out, seed, cases] {
    const spec::Task loaded = spec::load_task(find_task(*task, *build));
    oracle::require_known_operators(loaded.model);
    const cases::Seed chosen = seed->empty() ? cases::fresh_seed() : cases::parse_seed(*seed, "oracle: --seed");
    cases::write_oracle(loaded, *cases, chosen, *out);
    fmt::print("{}: {} written, seed {}\n", loaded.name, *out, cases::seed_text(chosen));
  });
}
static const bool oracle_defined = define_command("oracle", add_oracle_command);

}  // namespace assay::command
