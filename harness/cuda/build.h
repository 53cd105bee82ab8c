// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cuda {

/// Compiles the source for what compiled_for() says, as box::DeviceProgram::build() has it.
bool build(const std::vector<std::string>& options, const std::filesystem::path& source, const std::filesystem::path& output);

}  // namespace assay::cuda
