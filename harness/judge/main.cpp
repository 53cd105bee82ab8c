// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "assay/record/printable.h"
#include "commands.h"

/// A test does not outlive a ctest that is killed; its boxes end with it.
static void end_with_ctest() {
  if (std::getenv("DASHBOARD_TEST_FROM_CTEST") != nullptr) prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/// GoogleTest and Google Benchmark take flags from the environment, some before main: a filter or a shard that is meant for another
/// program's tests would leave cases out here. Starts this program anew without them.
static void forget_flags_of_others(char** argv) {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view name = std::string_view(*variable).substr(0, std::string_view(*variable).find('='));
    if (name.starts_with("GTEST_") || name.starts_with("BENCHMARK_") || name == "TESTBRIDGE_TEST_ONLY" || name == "XML_OUTPUT_FILE")
      names.emplace_back(name);
  }
  if (names.empty()) return;
  for (const std::string& name : names) unsetenv(name.c_str());
  execv("/proc/self/exe", argv);
}

int main(int argc, char** argv) {
  forget_flags_of_others(argv);
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
