// SPDX-License-Identifier: Apache-2.0
// assay-compile: the build's step for each candidate. A program of its own, so that a change of anything else, a stage or the
// report, leaves what is compiled as it is.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "assay/compile/compile_candidate.h"
#include "assay/record/printable.h"
#include "assay/record/test_name.h"

int main(int argc, char** argv) {
  CLI::App app{"assay-compile: compiles one candidate in the sandbox; what came of it lies in <prefix>.compile.json"};
  std::string plan, run, sample, source, prefix;
  app.add_option("--plan", plan, "plan of the task and backend, as CMake wrote it")->required();
  app.add_option("--run", run, "name of the candidate's run")->required();
  app.add_option("--sample", sample, "number of the sample, 0 to 999")->required();
  app.add_option("--source", source, "the candidate: a file, or a folder of several")->required();
  app.add_option("--prefix", prefix, "path of what is built for the candidate, without suffix")->required();
  try {
    app.parse(argc, argv);
    namespace fs = std::filesystem;
    const auto number = assay::record::parse_sample_number(sample);
    if (!number) throw std::runtime_error("--sample must be a number from 0 to 999, got '" + sample + "'");
    return assay::compile::compile_candidate(assay::plan::load_plan(plan), {run, *number, fs::absolute(source), fs::absolute(prefix)});
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay-compile: %s\n", assay::record::printable_lines(error.what()).c_str());
    return 2;
  }
}
