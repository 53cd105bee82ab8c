// SPDX-License-Identifier: Apache-2.0
// assay-program: the build's steps for a program task: its test, once, and each candidate.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "assay/plan/plan.h"
#include "assay/program/build.h"
#include "assay/record/printable.h"
#include "assay/record/test_name.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  CLI::App app{"assay-program: builds a program task's test and its candidates in the sandbox"};
  app.require_subcommand(1);
  std::string plan, run, sample, source, prefix;
  CLI::App* test = app.add_subcommand("test", "the test, which all candidates are linked to; what came of it lies in test.json");
  CLI::App* candidate = app.add_subcommand("candidate", "one candidate; what came of it lies in <prefix>.compile.json");
  for (CLI::App* each : {test, candidate}) each->add_option("--plan", plan, "plan of the task, as CMake wrote it")->required();
  candidate->add_option("--run", run, "name of the candidate's run")->required();
  candidate->add_option("--sample", sample, "number of the sample, 0 to 999")->required();
  candidate->add_option("--source", source, "the candidate: a file, or a folder of several")->required();
  candidate->add_option("--prefix", prefix, "path of what is built for the candidate, without suffix")->required();
  try {
    app.parse(argc, argv);
    const assay::plan::Plan loaded = assay::plan::load_plan(plan);
    if (test->parsed()) {
      assay::program::build_test(loaded);
      return 0;
    }
    const auto number = assay::record::parse_sample_number(sample);
    if (!number) throw std::runtime_error("--sample must be a number from 0 to 999, got '" + sample + "'");
    return assay::compile::compile_candidate(loaded, {run, *number, fs::absolute(source), fs::absolute(prefix), nullptr},
                                             [&](const auto& sources, const auto& scratch, auto& made) {
                                               return assay::program::build_candidate(loaded, sources, scratch, made);
                                             });
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay-program: %s\n", assay::record::printable_lines(error.what()).c_str());
    return 2;
  }
}
