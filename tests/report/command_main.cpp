// SPDX-License-Identifier: Apache-2.0
// `assay` with the one subcommand under test.
#include <CLI/CLI.hpp>

namespace assay {
void add_report_command(CLI::App& app, int& exit_code);
void add_winners_command(CLI::App& app, int& exit_code);
}

int main(int argc, char** argv) {
  CLI::App app("assay");
  int exit_code = 0;
  assay::add_report_command(app, exit_code);
  assay::add_winners_command(app, exit_code);
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return exit_code;
}
