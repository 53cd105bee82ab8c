// SPDX-License-Identifier: Apache-2.0
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
  end_with_ctest();
  CLI::App app{"assay-judge: the stages of a candidate, and the fixtures that they need"};
  app.require_subcommand(1);
  app.footer("Exit codes: 0 PASS, 1 another verdict, 2 bad input, 3 our own failure (HARNESS_ERROR).");
  int exit_code = 0;
  assay::judge::add_stage_commands(app, exit_code);
  assay::judge::add_fixture_commands(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay-judge: %s\n", assay::record::printable_lines(error.what()).c_str());
    return 2;
  }
  return exit_code;
}
