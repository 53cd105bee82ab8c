// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::results {

/// BLAKE2b of the files' contents and of `text`, in this order. Throws std::runtime_error where one cannot be read.
std::string fingerprint_of_contents(const std::vector<std::filesystem::path>& files, const std::string& text = "");

/// The same of sizes and times of modification: programs are large, and a change leaves its mark there. A missing one counts as such.
std::string fingerprint_of_times(const std::vector<std::filesystem::path>& files);

}  // namespace assay::results
