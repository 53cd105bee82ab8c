// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fmt/format.h>

#include <stdexcept>

namespace assay::command {

namespace fs = std::filesystem;

fs::path program(const std::string& name) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& path : {folder / name, folder.parent_path() / "libexec/kernelassay" / name})
    if (fs::exists(path)) return path;
  throw std::runtime_error(fmt::format("{} is not beside {}. do: build or install all of KernelAssay", name, folder.string()));
}

}  // namespace assay::command
