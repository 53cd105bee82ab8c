// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cuda {

/// What follows the cubin in the file: whether the program may keep anything from launch to launch.
inline constexpr std::string_view kKeepsState = "\nassay: keeps state\n", kKeepsNothing = "\nassay: keeps nothing\n";

/// The first option of build(): the file of the toolkit's NVRTC.
inline constexpr std::string_view kNvrtc = "--nvrtc=";

/// Compiles the source for what compiled_for() says, as box::DeviceProgram::build() has it.
bool build(const std::vector<std::string>& options, const std::filesystem::path& source, const std::filesystem::path& output);

}  // namespace assay::cuda
