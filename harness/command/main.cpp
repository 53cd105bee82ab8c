// SPDX-License-Identifier: Apache-2.0
// assay: the one program of KernelAssay that a user runs.
#include <cstdio>

#include "assay/record/printable.h"
#include "commands.h"

int main(int argc, char** argv) {
  namespace command = assay::command;
  CLI::App app{"KernelAssay: tests and times compute kernels that language models (and people) write"};
  app.set_version_flag("--version", "assay " ASSAY_VERSION, "print the version");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 fine, 1 a candidate or a threshold failed, 2 bad input, 3 our own failure (HARNESS_ERROR).");
  int exit_code = 0;
  assay::command::add_commands(app, exit_code);
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
