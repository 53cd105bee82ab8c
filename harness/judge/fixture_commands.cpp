// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/cases/inputs.h"
#include "assay/cases/profile.h"
#include "assay/record/output.h"
#include "assay/stages/basis.h"
#include "assay/stages/canary.h"
#include "assay/stages/stages.h"
#include "assay/timing/machine.h"
#include "assay/timing/machine_state.h"
#include "commands.h"
#include "keeping.h"

namespace assay::judge {
namespace {

using stages::basis_of;

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

void add_cases_command(CLI::App& app, int& exit_code) {
  CLI::App* command = add_drawing_command(app, exit_code, "cases", "draw a task's inputs and compute what they must give (CTest fixture)",
                                          stages::prepare_cases);
  std::string known = "The plan may name a profile, another system's inputs and tolerances (KERNELASSAY_PROFILE):\n";
  for (const cases::Profile& profile : cases::profiles())
    known += fmt::format("  {:<20}{}\n", profile.name, profile.inputs + ", " + profile.tolerance);
  command->footer(known);
}

void add_timing_command(CLI::App& app, int& exit_code) {
  add_drawing_command(app, exit_code, "timing", "draw the shapes a task is timed at and learn the error bounds there (CTest fixture)",
                      stages::prepare_timing);
}

void add_machine_command(CLI::App& app, int& exit_code) {
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

void add_canary_command(CLI::App& app, int& exit_code) {
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
      return fmt::format("{}{}", record::canary_prefix, std::string{std::istreambuf_iterator<char>(written), {}});
    });
  });
}

}  // namespace

void add_fixture_commands(CLI::App& app, int& exit_code) {
  add_cases_command(app, exit_code);
  add_timing_command(app, exit_code);
  add_machine_command(app, exit_code);
  add_canary_command(app, exit_code);
}

}  // namespace assay::judge
