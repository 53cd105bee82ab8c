// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

#include <map>
#include <utility>

namespace assay::command {
namespace {

using Definitions = std::map<std::pair<Caller, std::string>, AddCommand>;

Definitions& definitions() {
  static Definitions all;
  return all;
}

}  // namespace

bool define_command(const std::string& name, AddCommand add, Caller caller) {
  return definitions().emplace(std::pair(caller, name), add).second;
}

void add_commands(CLI::App& app, int& exit_code) {
  for (const auto& [key, add] : definitions()) {
    const std::size_t before = app.get_subcommands(nullptr).size();
    add(app, exit_code);
    const auto all = app.get_subcommands(nullptr);
    for (std::size_t i = before; i < all.size(); ++i)
      if (key.first == Caller::build && !all[i]->get_group().empty()) all[i]->group("Subcommands that CMake and CTest call");
  }
}

}  // namespace assay::command
