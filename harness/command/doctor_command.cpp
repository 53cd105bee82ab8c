// SPDX-License-Identifier: Apache-2.0
// assay doctor: what this machine offers for judging and timing, and what would be needed for more.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "assay/plan/confinement.h"
#include "assay/sandbox/advice.h"
#include "assay/sandbox/processors.h"
#include "assay/timing/machine.h"
#include "assay/timing/machine_state.h"
#include "commands.h"
#include "program.h"

namespace assay::command {
namespace {

namespace fs = std::filesystem;

void line(const char* what, const std::string& text) { fmt::print("  {:<11}{}\n", what, text); }

void show_sandbox(const sandbox::OfferedLayers& offer) {
  line("sandbox", fmt::format("{}: {}", name(sandbox::tier_of(offer.layers)), sandbox::to_string(offer.layers)));
  for (const sandbox::RefusedLayers& refused : offer.refused)
    line("", fmt::format("not {}: {}", sandbox::to_string(refused.layers), refused.why));
  for (const std::string& each : sandbox::advice(offer)) line("needed", each);
}

/// What decides how long a call takes, as the kernel spells it.
void show_state() {
  const nlohmann::ordered_json state = timing::machine_state();
  std::string text;
  for (const auto& [name, value] : state.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value.is_string() ? value.get<std::string>() : value.dump());
  line("state", text);
}

void show_machine() {
  const std::size_t boxes = sandbox::processors().boxes.size();
  line("machine", timing::machine_fingerprint());
  line("processors", fmt::format("1 for the judge, {} for candidates", boxes));
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) line("needed", "timing: a second processor, so that judge and candidate do not share one");
  constexpr double kGigabyte = 1e9, kWanted = 8;
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) / kGigabyte;
  line("memory", fmt::format("{:.1f} GB", memory));
  if (memory < kWanted) line("needed", fmt::format("memory: {} GB, for compilers of 4 GB beside boxes of 2 GB", kWanted));
}

}  // namespace

static void add_doctor_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("doctor", "say what this machine offers for judging and timing, and what is needed for more");
  auto required = std::make_shared<std::string>();
  command->add_option("--require-tier", *required, "exit with 1 where the sandbox is weaker: full, reduced or none");
  command->callback([required, &exit_code] {
    const sandbox::OfferedLayers offer = sandbox::probe_layers(program("assay-escape"));
    fmt::print("KernelAssay doctor\n");
    show_sandbox(offer);
    show_machine();
    show_state();
    std::fflush(stdout);
    try {
      plan::require_tier(offer, *required, "doctor");
    } catch (const plan::WeakerTier& weaker) {
      fmt::print(stderr, "assay: {}\n", weaker.what());
      exit_code = 1;
    }
  });
}
static const bool doctor_defined = define_command("doctor", add_doctor_command);

}  // namespace assay::command
