// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace assay::command {

/// Another program of KernelAssay: beside this one in a build tree, in libexec/ of an installed one. Throws std::runtime_error.
std::filesystem::path program(const std::string& name);

}  // namespace assay::command
