// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/device_peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "assay/sandbox/log.h"
#include "assay/sandbox/sandbox.h"

namespace assay::timing {

using trial::BoxProgram;

MachinePeaks measure_device(const BoxProgram& program) {
  constexpr std::chrono::seconds kLimit{60};
  const sandbox::Log log;
  sandbox::ConfinedCommand command;
  command.argv = {program.argv.front(), "measure", "--device", program.device, "--cache", program.cache.string()};
  command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  std::ranges::copy(program.environment, std::back_inserter(command.environment));
  command.readable = program.readable;
  std::ranges::copy(sandbox::system_paths(), std::back_inserter(command.readable));
  command.writable = {program.cache};
  command.devices = program.devices;
  command.loads_drivers = true;
  command.output = log.fd();
  command.limits.address_space = RLIM_INFINITY;
  command.layers = program.layers;
  command.may_start_processes = true;
  std::filesystem::create_directories(program.cache);
  const sandbox::Finished finished = run(command, kLimit);
  const std::string said = log.tail(2000);
  const std::size_t line = said.find("{\"");  // a driver may have something to say before
  const auto peaks = finished.status == 0 && line != said.npos ? parse_peaks(said.substr(line)) : std::nullopt;
  if (!peaks)
    throw std::runtime_error(fmt::format("bench: {} cannot be measured. got: {}", program.device, said.empty() ? "no answer" : said));
  return *peaks;
}

}  // namespace assay::timing
