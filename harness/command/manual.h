// SPDX-License-Identifier: Apache-2.0
// The command line described by itself: what CLI11 knows of subcommands and options, as a man page and as bash completion.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace assay::command {

/// assay(1) in the man macros of roff.
std::string manual_page(const CLI::App& app, const std::string& version);

/// A script for bash-completion: names of subcommands, their options, and files else.
std::string bash_completion(const CLI::App& app);

}  // namespace assay::command
