// SPDX-License-Identifier: Apache-2.0
// Whose fault it is that a compiler ended as it did.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "assay/compile/scratch.h"
#include "assay/plan/plan.h"
#include "assay/sandbox/log.h"
#include "assay/sandbox/sandbox.h"

namespace assay::compile {

/// What the compiler of device code writes beside its binary.
std::filesystem::path description_of(const std::filesystem::path& library);

/// Not a link, nor anything else that a compiler could be made to leave.
bool is_file(const std::filesystem::path& path);

/// How a device's compiler ended that did not get as far as the source: it describes its device before it reads that, and ends
/// with status 3 where a device fails it later (docs of kernel_backend()). Empty where it did.
std::string doubt_of_device(const plan::Toolchain& toolchain, const sandbox::Finished& finished, const sandbox::Log& log,
                            const std::filesystem::path& scratch);

/// Why the end of a compiler does not tell yet whether its source is to blame; empty where it does. `finished` is a failure, or
/// left no library.
std::string doubt_of(const plan::Toolchain& toolchain, const sandbox::Finished& finished, const sandbox::Log& log,
                     const std::filesystem::path& scratch);

/// Throws where the disk is full, now that nothing of the candidate's is on it any more.
void require_room(const sandbox::Log& log, const Scratch& scratch);

}  // namespace assay::compile
