// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace assay::plan {

/// Runs `work` in a process of its own and returns how that ended, as waitpid gives it: what ends the child, a hostile file's reader
/// among it, does not end this process. `work` gives the child's exit code; it must not throw. The child dies with this process.
/// Throws std::runtime_error where there is no process to be had.
int run_in_child(const std::function<int()>& work);

}  // namespace assay::plan
