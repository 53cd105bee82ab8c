// SPDX-License-Identifier: Apache-2.0
// assay: the one program of KernelAssay that a user runs; CMake and CTest call it too.
#include <signal.h>
#include <sys/prctl.h>

#include <cstdio>
#include <cstdlib>

#include "assay/record/printable.h"
#include "commands.h"

/// A test does not outlive a ctest that is killed; its boxes end with it.
static void end_with_ctest() {
  if (std::getenv("DASHBOARD_TEST_FROM_CTEST") != nullptr) prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int main(int argc, char** argv) {
  namespace command = assay::command;
  end_with_ctest();
  CLI::App app{"KernelAssay: tests and times compute kernels that language models (and people) write"};
  app.set_version_flag("--version", "assay " ASSAY_VERSION, "print the version");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 fine, 1 a candidate or a threshold failed, 2 bad input, 3 our own failure (HARNESS_ERROR).");
  int exit_code = 0;
  for (auto* add : {command::add_context_command, command::add_cases_command, command::add_machine_command, command::add_canary_command,
                    command::add_stage_commands, command::add_doctor_command, command::add_admit_command, command::add_oracle_command,
                    command::add_prompt_command, command::add_suite_command, command::add_new_task_command, command::add_evaluate_command,
                    command::add_report_command, command::add_show_command, command::add_winners_command, command::add_describe_command})
    add(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay: %s\n", assay::record::printable_lines(error.what()).c_str());
    return 2;
  }
  return exit_code;
}
