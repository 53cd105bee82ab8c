// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "assay/compile/compilation.h"
#include "assay/record/test_name.h"
#include "assay/stages/basis.h"
#include "assay/stages/stages.h"
#include "commands.h"
#include "keeping.h"

namespace assay::judge {
namespace {

using results::Basis, results::ResultFile, stages::basis_of;

struct StageOptions {
  std::string plan, run, sample, source, prefix, results;

  plan::Candidate candidate() const {
    namespace fs = std::filesystem;
    return {run, record::parse_sample_number(sample).value(), source.empty() ? fs::path() : fs::absolute(source), fs::absolute(prefix)};
  }
  std::string test(const plan::Plan& of, const std::string& stage) const {
    return fmt::format("{}.{}.{}.{:03}.{}", run, of.task.name, of.toolchain.backend, candidate().sample, stage);
  }
};

CLI::App* declare_stage(CLI::App& app, const std::string& name, const std::string& help, StageOptions& options) {
  CLI::App* stage = app.add_subcommand(name, help);
  stage->add_option("--plan", options.plan, "plan of the task and backend, as CMake wrote it")->required();
  stage->add_option("--run", options.run, "name of the candidate's run")->required();
  stage->add_option("--sample", options.sample, "number of the sample, 0 to 999")->required()->check([](const std::string& text) {
    return record::parse_sample_number(text) ? std::string() : "must be a number from 0 to 999, got '" + text + "'";
  });
  stage->add_option("--prefix", options.prefix, "path of what is built for the candidate, without suffix")->required();
  stage->add_option("--source", options.source, "the candidate, a file or a folder of several: refused where another was compiled");
  add_results_option(*stage, options.results);
  return stage;
}

}  // namespace

void add_stage_commands(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<StageOptions>();
  CLI::App* compile = declare_stage(app, "compile", "show how the build compiled a candidate: its verdict and diagnostics", *options);
  compile->callback([options, &exit_code] {
    const plan::Plan plan = plan::load_plan(options->plan);
    plan::Candidate candidate = options->candidate();
    Basis basis = basis_of(plan);
    basis.source = compile::compiled_source(candidate);
    exit_code = keeping(options->results, options->test(plan, "compile"), std::move(basis), [&](ResultFile* file) {
      candidate.result = file;
      return stages::show_compilation(plan, candidate);
    });
  });
  using Stage = int (*)(const plan::Plan&, const plan::Candidate&, const std::vector<std::string>&);
  const auto declare = [&](const std::string& name, const std::string& help, Stage stage) {
    CLI::App* command = declare_stage(app, name, help, *options);
    command->allow_extras();
    command->callback([options, command, name, stage, &exit_code] {
      const plan::Plan plan = plan::load_plan(options->plan);
      plan::Candidate candidate = options->candidate();
      Basis basis = basis_of(plan);
      basis.source = compile::compiled_source(candidate);
      const std::vector<std::string> flags = command->remaining();  // which may choose among the cases: then it is no result
      exit_code = keeping(flags.empty() ? options->results : "", options->test(plan, name), std::move(basis), [&](ResultFile* file) {
        candidate.result = file;
        return stage(plan, candidate, flags);
      });
    });
  };
  declare("test", "test a compiled candidate (GoogleTest's flags work)", stages::test_candidate);
  declare("bench", "time a compiled candidate against the baseline (Google Benchmark's flags work)", stages::bench_candidate);
}

}  // namespace assay::judge
