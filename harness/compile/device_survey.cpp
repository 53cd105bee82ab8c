// SPDX-License-Identifier: Apache-2.0
#include "device_survey.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/plan/confinement.h"
#include "assay/sandbox/log.h"
#include "assay/sandbox/sandbox.h"
#include "assay/spec/digest.h"
#include "assay/spec/whole_file.h"

namespace assay::compile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using plan::Plan, plan::Toolchain;

/// What the answer depends on.
std::string circumstances(const Toolchain& toolchain) {
  std::error_code error;
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  json under = {boot, toolchain.box.string(), fs::last_write_time(toolchain.box, error).time_since_epoch().count()};
  for (const std::string& variable : plan::passed_environment(toolchain).variables) under.push_back(variable);
  for (const fs::path& file : plan::device_files(toolchain)) under.push_back(file.string());
  return spec::digest(under.dump());
}

std::string ask(const Plan& plan) {
  constexpr int kSilent = 2;
  constexpr std::size_t kMost = 4000;
  const Toolchain& toolchain = plan.toolchain;
  const sandbox::Log log;
  sandbox::ConfinedCommand command;
  command.argv = {toolchain.box.string(), "describe"};
  command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  command.readable = toolchain.readable;
  command.readable.push_back(toolchain.box);
  std::ranges::copy(toolchain.driver, std::back_inserter(command.readable));
  std::ranges::copy(sandbox::system_paths(), std::back_inserter(command.readable));
  plan::PassedEnvironment passed = passed_environment(toolchain);
  std::ranges::move(passed.variables, std::back_inserter(command.environment));
  std::ranges::move(passed.readable, std::back_inserter(command.readable));
  command.devices = device_files(toolchain);
  command.loads_drivers = true;
  command.output = log.fd();
  command.limits.address_space = RLIM_INFINITY;
  command.layers = confinement(plan.settings);
  command.may_start_processes = true;
  const sandbox::Finished finished = run(command, std::chrono::seconds(60));
  if (WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == kSilent) return "";
  const std::string said = log.tail(kMost);
  const std::size_t line = said.find("{\"");  // a driver may have something to say before
  if (finished.status == 0 && line != said.npos) return said.substr(line);
  throw std::runtime_error(fmt::format("compile: `{} describe` fails: {}", toolchain.box.string(), said.empty() ? "no message" : said));
}

}  // namespace

std::string survey_device(const Plan& plan) {
  const fs::path file =
      plan.settings.sandbox.parent_path() / fmt::format("{}.{}.device.json", plan.toolchain.backend, circumstances(plan.toolchain));
  if (std::ifstream known(file); known) return std::string{std::istreambuf_iterator<char>(known), {}};
  std::string found = ask(plan);
  try {
    fs::create_directories(file.parent_path());
    spec::write_whole_file("compile", file, found);
  } catch (const std::exception&) {  // then it is asked again
  }
  return found;
}

}  // namespace assay::compile
