// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
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
  bool awaits = false;

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

/// Ends the program where the standard input does: nobody wants its answer.
void await_candidate() {
  char byte = 0;
  ssize_t got = 0;
  while ((got = read(STDIN_FILENO, &byte, 1)) < 0 && errno == EINTR) {
  }
  if (got != 1) _exit(0);
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
  using Stage = std::function<int(const plan::Plan&, const plan::Candidate&, const std::vector<std::string>&)>;
  const auto declare = [&](const std::string& name, const std::string& help, const Stage& stage) {
    CLI::App* command = declare_stage(app, name, help, *options);
    command->allow_extras();
    command->callback([options, command, name, stage, &exit_code] {
      const plan::Plan plan = plan::load_plan(options->plan);
      plan::Candidate candidate = options->candidate();
      const std::vector<std::string> flags = command->remaining();
      const std::string results = flags.empty() ? options->results : "";  // flags may choose among the cases: then it is no result
      Basis basis;
      if (!results.empty()) {
        basis = basis_of(plan);
        basis.source = compile::compiled_source(candidate);
      }
      exit_code = keeping(results, options->test(plan, name), std::move(basis), [&](ResultFile* file) {
        candidate.result = file;
        return stage(plan, candidate, flags);
      });
    });
    return command;
  };
  const auto test = [options](const plan::Plan& plan, const plan::Candidate& candidate, const std::vector<std::string>& flags) {
    return stages::test_candidate(plan, candidate, flags, options->awaits ? await_candidate : nullptr);
  };
  declare("test", "test a compiled candidate (GoogleTest's flags work)", test)
      ->add_flag("--await", options->awaits, "read the cases, then wait for a byte on the standard input: the candidate is there");
  declare("bench", "time a compiled candidate against the baseline (Google Benchmark's flags work)", stages::bench_candidate);
}

}  // namespace assay::judge
