// SPDX-License-Identifier: Apache-2.0
// How a task is named on the command line.
#pragma once

#include <filesystem>
#include <string>

namespace assay {

/// The plan of `task` for `backend` in a build tree: it knows where the task is and how the backend compiles.
/// Throws std::runtime_error where either is unknown there.
std::filesystem::path find_plan(const std::filesystem::path& build, const std::string& task, const std::string& backend);

/// The task.yaml that `task` means: itself, a task's folder, or the name of a task that `build` knows.
std::filesystem::path find_task(const std::string& task, const std::filesystem::path& build);

}  // namespace assay
