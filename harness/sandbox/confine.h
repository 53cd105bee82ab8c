// SPDX-License-Identifier: Apache-2.0
// The layers of confinement, each applied to the calling process between fork and exec. They return the name of the step
// that failed, with errno set, or nullptr.
#pragma once

#include "assay/sandbox/sandbox.h"

namespace assay::sandbox {

/// Whether the command has devices of its own, and so gets what their driver needs.
bool has_devices(const ConfinedCommand& command);

/// The command's own devices, after those that every program may want.
std::vector<std::filesystem::path> devices_of(const ConfinedCommand& command);
/// The command's own files and folders.
std::vector<std::filesystem::path> readable_of(const ConfinedCommand& command);
/// The command's own, and where a driver names its threads.
std::vector<std::filesystem::path> writable_of(const ConfinedCommand& command);

const char* enter_empty_root(const ConfinedCommand& command, unsigned outer_uid, unsigned outer_gid);
const char* restrict_files_by_landlock(const ConfinedCommand& command);
const char* limit_resources(const ConfinedCommand& command);
const char* filter_system_calls(const ConfinedCommand& command);

}  // namespace assay::sandbox
