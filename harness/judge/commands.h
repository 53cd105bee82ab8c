// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace assay::judge {

/// cases, timing, machine, canary; the one that is chosen leaves its exit code in `exit_code`.
void add_fixture_commands(CLI::App& app, int& exit_code);
/// compile, test, bench.
void add_stage_commands(CLI::App& app, int& exit_code);

}  // namespace assay::judge
