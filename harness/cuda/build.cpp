// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "assay/box/device_program.h"
#include "device.h"
#include "entries.h"
#include "nvrtc.h"

namespace assay::cuda {

bool build(const std::vector<std::string>& options, const std::filesystem::path& source, const std::filesystem::path& output) {
  const Device device = compiled_for();
  box::write_file(output.string() + ".json", describe(device));
  const Compiled compiled = compile(box::read_file(source), source.filename().string(), device.architecture, options);
  std::fputs(compiled.log.c_str(), stderr);
  if (!compiled.good) return false;
  const nlohmann::json kernels = entries_of(compiled.ptx);
  return box::write_file(output.string() + ".kernels.json", kernels.dump() + "\n") && box::write_file(output, compiled.cubin);
}

}  // namespace assay::cuda
