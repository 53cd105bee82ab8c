// SPDX-License-Identifier: Apache-2.0
#include "test_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include "assay/compile/compile_record.h"
#include "assay/plan/confinement.h"
#include "workshop.h"

namespace assay::program {
namespace {

namespace fs = std::filesystem;
using plan::Plan;
using problem::TextFile;

constexpr std::uint64_t kPrinted = std::uint64_t{16} << 20;  // of each file, and of what is printed

bool is_code(const fs::path& path) {
  constexpr std::array kSources = {".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".py"};
  return std::ranges::any_of(kSources, [&](const char* suffix) { return path.extension() == suffix; });
}

}  // namespace

void write_files(const std::vector<TextFile>& files, const fs::path& work, bool sources) {
  for (const TextFile& file : files) {
    if (!sources && is_code(file.path)) continue;
    const fs::path path = work / file.path;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.text;
  }
}

std::string beginning_and_end(const sandbox::Log& log) {
  const std::string first = compile::read_diagnostics(log.fd(), kOutputKept / 2);
  const std::string last = log.tail(kOutputKept / 2);
  return first.size() < kOutputKept / 2 ? first : first + "\n[...]\n" + last;
}

std::string last_line(const std::string& output) {
  const std::size_t end = output.find_last_not_of(" \t\r\n");
  if (end == output.npos) return "it printed nothing";
  const std::size_t begin = output.rfind('\n', end);
  return output.substr(begin + 1, std::min<std::size_t>(end - begin, 300));
}

sandbox::ConfinedCommand command_in(const Plan& plan, const Call& call, const fs::path& work) {
  sandbox::ConfinedCommand command;
  command.environment = {"PATH=" + program_path(plan.toolchain), "LC_ALL=C", fmt::format("OMP_NUM_THREADS={}", call.threads),
                         "HOME=" + work.string(), "TMPDIR=" + work.string()};
  plan::PassedEnvironment passed = plan::passed_environment(plan.toolchain);
  std::ranges::move(passed.variables, std::back_inserter(command.environment));
  command.directory = work;
  command.writable = {work};
  command.layers = plan::confinement(plan.settings);
  command.devices = plan::device_files(plan.toolchain);
  command.loads_drivers = !command.devices.empty();
  if (command.loads_drivers) command.environment.push_back(fmt::format("LD_LIBRARY_PATH={}", plan::kContainerDriver));
  command.readable = plan.toolchain.readable;
  command.cpus = call.cpus;
  command.limits.cpu_seconds = static_cast<std::uint64_t>(std::ceil(call.limit.count()) * call.threads) + 1;
  command.limits.address_space = plan.task.memory_limit;
  command.limits.file_size = kPrinted;
  return command;
}

std::chrono::milliseconds limit_of(const Call& call) { return std::chrono::ceil<std::chrono::milliseconds>(call.limit); }

}  // namespace assay::program
