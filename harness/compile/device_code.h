// SPDX-License-Identifier: Apache-2.0
// Of a candidate for a device: its launch block, what its compiler left, the device.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "assay/compile/compile_record.h"
#include "assay/compile/source_files.h"
#include "assay/spec/launch.h"

namespace assay::compile {

/// The candidate's launch block; where it is none, the record says what is wrong with it, as a compiler does.
std::optional<spec::LaunchBlock> read_launch_block(const spec::TaskFile& task_yaml, const SourceFile& source, StoredCompilation& made);

/// Sets the verdict by the binary's device and kernels, which must be those that `block` launches. `device` is what the compiler was told
/// of it; where that is empty, it has written it.
void judge_binary(StoredCompilation& made, const spec::LaunchBlock& block, const std::filesystem::path& binary, const std::string& device);

/// Of what survey_device() tells: "sm_90a". Throws std::exception where it tells no such thing.
std::string architecture_of(const std::string& device);

/// The record's device, and the libraries of its driver, as survey_device() tells them.
void add_device(StoredCompilation& made, const std::string& device);

}  // namespace assay::compile
