// SPDX-License-Identifier: Apache-2.0
// The layers of confinement, each applied to the calling process between fork and exec. They return the name of the step
// that failed, with errno set, or nullptr.
#pragma once

#include "assay/sandbox/sandbox.h"

namespace assay::confine {

const char* enter_empty_root(const ConfinedCommand& command, unsigned outer_uid, unsigned outer_gid);
const char* restrict_files_by_landlock(const ConfinedCommand& command);
const char* limit_resources(const ResourceLimits& limits);
const char* filter_system_calls(bool may_start_processes);

}  // namespace assay::confine
