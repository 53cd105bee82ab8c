// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::generate {

/// Writes tasks/<category>/<name>/{CMakeLists.txt, task.yaml} and references/<category>/<name>.cpp under `root`: a task that
/// builds and passes at once, to be edited. Returns the files. Throws std::runtime_error where a name is not valid or one
/// of the files is there already; then nothing is written.
std::vector<std::filesystem::path> write_new_task(const std::filesystem::path& root, const std::string& category, const std::string& name);

}  // namespace assay::generate
