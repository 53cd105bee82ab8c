// SPDX-License-Identifier: Apache-2.0
// The subcommands of `assay`. Each add_ function declares one with its options and leaves its exit code in `exit_code`.
#pragma once

#include <CLI/CLI.hpp>

namespace assay::command {

void add_context_command(CLI::App& app, int& exit_code);
void add_cases_command(CLI::App& app, int& exit_code);
void add_machine_command(CLI::App& app, int& exit_code);
void add_canary_command(CLI::App& app, int& exit_code);
void add_stage_commands(CLI::App& app, int& exit_code);  ///< compile, test, bench
void add_admit_command(CLI::App& app, int& exit_code);
void add_oracle_command(CLI::App& app, int& exit_code);
void add_prompt_command(CLI::App& app, int& exit_code);
void add_suite_command(CLI::App& app, int& exit_code);
void add_new_task_command(CLI::App& app, int& exit_code);
void add_doctor_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_evaluate_command(CLI::App& app, int& exit_code);
void add_show_command(CLI::App& app, int& exit_code);
void add_winners_command(CLI::App& app, int& exit_code);
void add_describe_command(CLI::App& app, int& exit_code);

}  // namespace assay::command
