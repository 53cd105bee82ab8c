// SPDX-License-Identifier: Apache-2.0
// How a task is named on the command line.
#pragma once

#include <filesystem>
#include <string>

#include "assay/spec/task.h"

namespace assay {

/// The plan of `task` for `backend` in a build tree: it knows where the task is and how the backend compiles.
/// Throws std::runtime_error where either is unknown there.
std::filesystem::path find_plan(const std::filesystem::path& build, const std::string& task, const std::string& backend);

/// The task that `task` means: a task.yaml, its folder, <family>.yaml#<name>, or the name of a task that `build` knows.
TaskFile find_task(const std::string& task, const std::filesystem::path& build);

}  // namespace assay
