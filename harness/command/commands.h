// SPDX-License-Identifier: Apache-2.0
// The subcommands of `assay`. A new one is a file in this folder that calls define_command(); nothing lists them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace assay::command {

/// Who calls a subcommand: the help lists those of users first.
enum class Caller { user, build };

/// Declares subcommands with their options; the one that is chosen leaves its exit code in `exit_code`.
using AddCommand = void (*)(CLI::App& app, int& exit_code);

/// To be called at static initialisation. Always true.
bool define_command(const std::string& name, AddCommand add, Caller caller = Caller::user);

/// Adds all that are defined, those of each caller by name.
void add_commands(CLI::App& app, int& exit_code);

}  // namespace assay::command
