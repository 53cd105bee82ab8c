// SPDX-License-Identifier: Apache-2.0
// Files that others find whole or not at all, whenever their writer dies and whatever the disk does.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay::spec {

/// Puts `bytes` in the place of `file` at one stroke: they are written to a file without a name, which then
/// takes the name. What is no ordinary file (/dev/stdout, a pipe) is written to as it is. Throws
/// std::runtime_error saying who failed, at which file, why, and what to do; the old file is then untouched.
void write_whole_file(std::string_view who, const std::filesystem::path& file, std::string_view bytes);

}  // namespace assay::spec
