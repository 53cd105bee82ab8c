// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "assay/box/device_program.h"
#include "device.h"
#include "driver.h"
#include "entries.h"
#include "nvrtc.h"

namespace assay::cuda {

bool build(const std::vector<std::string>& options, const std::filesystem::path& source, const std::filesystem::path& output) {
  const std::string description = output.string() + ".json";
  if (!std::filesystem::exists(description)) box::write_file(description, describe(compiled_for()));
  const std::string architecture = nlohmann::json::parse(box::read_file(description)).at("architecture");
  if (options.empty() || !options.front().starts_with(kNvrtc))
    throw Error("which NVRTC? do: name its file first, " + std::string(kNvrtc) + "<file>");
  load_nvrtc(options.front().substr(kNvrtc.size()));
  Compiled compiled = compile(box::read_file(source), source.filename().string(), architecture, {options.begin() + 1, options.end()});
  std::fputs(compiled.log.c_str(), stderr);
  if (!compiled.good) return false;
  const nlohmann::json kernels = entries_of(compiled.ptx);
  const std::string_view state = uses_variables(compiled.ptx) ? kKeepsState : kKeepsNothing;
  return box::write_file(output.string() + ".kernels.json", kernels.dump() + "\n") && box::write_file(output, compiled.cubin.append(state));
}

}  // namespace assay::cuda
