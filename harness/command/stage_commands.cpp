// SPDX-License-Identifier: Apache-2.0
// What the build and CTest call: cases, timing, machine, canary, compile, test, bench.
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/cases/inputs.h"
#include "assay/cases/profile.h"
#include "assay/compile/compilation.h"
#include "assay/oracle/evaluate.h"
#include "assay/record/printable.h"
#include "assay/record/test_name.h"
#include "assay/report/canary.h"
#include "assay/results/kept_result.h"
#include "assay/spec/launch.h"
#include "assay/spec/task.h"
#include "assay/spec/whole_file.h"
#include "assay/stages/canary.h"
#include "assay/stages/stages.h"
#include "assay/timing/machine.h"
#include "assay/timing/machine_state.h"
#include "basis.h"
#include "commands.h"

namespace assay::command {
namespace {

using results::Basis, results::ResultFile;

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

void add_results_option(CLI::App& command, std::string& results) {
  command.add_option("--results", results, "folder that keeps the result of each test (default: none is kept)");
}

/// Runs `work` with the file that keeps its result, nullptr where `results` names no folder or it cannot be written.
int keeping(const std::string& results, const std::string& test, Basis basis, const std::function<int(ResultFile*)>& work) {
  std::optional<ResultFile> file;
  std::string why_not;
  try {
    if (!results.empty()) file.emplace(results, test, std::move(basis));
  } catch (const std::runtime_error& error) {
    why_not = error.what();
  }
  const int code = work(file ? &*file : nullptr);
  if (!why_not.empty()) fmt::print("the result is not kept: {}\n", record::printable(why_not));  // the record comes first
  return code;
}

/// A fixture's result is its exit code, and the words that it ends with.
int keeping_fixture(const std::string& results, const std::string& test, Basis basis, const std::function<std::string()>& work) {
  return keeping(results, test, std::move(basis), [&](ResultFile* file) {
    try {
      const std::string words = work();
      if (file != nullptr) file->finish("", words, 0);
    } catch (const std::exception& error) {
      if (file != nullptr) file->finish("", record::printable_lines(error.what()), 2);
      throw;
    }
    return 0;
  });
}

CLI::App* declare_stage(CLI::App& app, const std::string& name, const std::string& help, StageOptions& options) {
  CLI::App* stage = app.add_subcommand(name, help);
  stage->add_option("--plan", options.plan, "plan of the task and backend, as CMake wrote it")->required();
  stage->add_option("--run", options.run, "name of the candidate's run")->required();
  stage->add_option("--sample", options.sample, "number of the sample, 0 to 999")->required()->check([](const std::string& text) {
    return record::parse_sample_number(text) ? std::string() : "must be a number from 0 to 999, got '" + text + "'";
  });
  stage->add_option("--prefix", options.prefix, "path of what is built for the candidate, without suffix")->required();
  add_results_option(*stage, options.results);
  return stage;
}

}  // namespace

namespace {

/// A fixture of one task that draws.
CLI::App* add_drawing_command(CLI::App& app, int& exit_code, const std::string& name, const std::string& help,
                              void (*prepare)(const plan::Plan&, std::optional<cases::Seed>)) {
  CLI::App* command = app.add_subcommand(name, help);
  auto plan = std::make_shared<std::string>(), seed = std::make_shared<std::string>(), results = std::make_shared<std::string>();
  command->add_option("--plan", *plan, "plan of the task, as CMake wrote it")->required();
  command->add_option("--seed", *seed, "replay this seed (default: ASSAY_SEED, else a fresh one)");
  add_results_option(*command, *results);
  command->callback([=, &exit_code] {
    std::optional<cases::Seed> given;
    if (!seed->empty()) given = cases::parse_seed(*seed, name + ": --seed");
    const plan::Plan loaded = plan::load_plan(*plan);
    exit_code = keeping_fixture(*results, fmt::format("assay.{}.{}", loaded.task.name, name), basis_of(loaded), [&] {
      prepare(loaded, given);
      return std::string();
    });
  });
  return command;
}

}  // namespace

static void add_cases_command(CLI::App& app, int& exit_code) {
  CLI::App* command = add_drawing_command(app, exit_code, "cases", "draw a task's inputs and compute what they must give (CTest fixture)",
                                          stages::prepare_cases);
  std::string known = "The plan may name a profile, another system's inputs and tolerances (KERNELASSAY_PROFILE):\n";
  for (const cases::Profile& profile : cases::profiles()) known += fmt::format("  {:<20}{}\n", profile.name, profile.rule);
  command->footer(known);
}
static const bool cases_defined = define_command("cases", add_cases_command, Caller::build);

static void add_timing_command(CLI::App& app, int& exit_code) {
  add_drawing_command(app, exit_code, "timing", "draw the shapes a task is timed at and learn the error bounds there (CTest fixture)",
                      stages::prepare_timing);
}
static const bool timing_defined = define_command("timing", add_timing_command, Caller::build);

static void add_machine_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("machine", "measure this machine's peak arithmetic and memory rates (CTest fixture)");
  auto out = std::make_shared<std::string>(), results = std::make_shared<std::string>();
  command->add_option("--out", *out, "JSON file to write")->required();
  add_results_option(*command, *results);
  command->callback([out, results, &exit_code] {
    exit_code = keeping_fixture(*results, "assay.machine", {}, [&] {
      const timing::MachinePeaks peaks = timing::measure_peaks();
      timing::save_peaks(peaks, *out);
      fmt::print("{}: {:.1f} GFLOP/s, {:.1f} GB/s copied, {:.1f} GB/s written to the nearest cache, {:.1f} GB/s read from the next\n{}\n",
                 timing::machine_fingerprint(), peaks.flops * 1e-9, peaks.bandwidth * 1e-9, peaks.writing * 1e-9, peaks.reading * 1e-9,
                 timing::machine_state().dump());
      return std::string();
    });
  });
}
static const bool machine_defined = define_command("machine", add_machine_command, Caller::build);

static void add_canary_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("canary", "time a task's baseline against itself (CTest fixture)");
  auto plan = std::make_shared<std::string>(), out = std::make_shared<std::string>(), results = std::make_shared<std::string>();
  command->add_option("--plan", *plan, "plan of the task, as CMake wrote it")->required();
  command->add_option("--out", *out, "JSON file to write: canary.before.json, canary.after.json")->required();
  add_results_option(*command, *results);
  command->callback([plan, out, results, &exit_code] {
    const plan::Plan loaded = plan::load_plan(*plan);
    const std::string test = fmt::format("assay.{}", std::filesystem::path(*out).stem().string());
    exit_code = keeping_fixture(*results, test, basis_of(loaded), [&] {
      stages::run_canary(loaded, *out);
      std::ifstream written(*out);
      return fmt::format("{}{}", report::canary_prefix, std::string{std::istreambuf_iterator<char>(written), {}});
    });
  });
}
static const bool canary_defined = define_command("canary", add_canary_command, Caller::build);

static void add_stage_commands(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<StageOptions>();
  CLI::App* compile = declare_stage(app, "compile", "show how the build compiled a candidate: its verdict and diagnostics", *options);
  compile->add_option("--source", options->source, "the candidate, a file or a folder of several: refused where another was compiled");
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
static const bool stage_defined = define_command("compile", add_stage_commands, Caller::build);

}  // namespace assay::command
