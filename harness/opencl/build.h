// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "device.h"

namespace assay::opencl {

/// Builds the source with the device's compiler: its log goes to stderr, the binary to `output`. False where the source does not
/// build, for whatever reason; stderr has it. Throws Error where the device or a file is to blame.
bool build(const Device& device, const std::filesystem::path& source, const std::string& options, const std::filesystem::path& output);

}  // namespace assay::opencl
