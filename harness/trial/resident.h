// SPDX-License-Identifier: Apache-2.0
// Libraries and programs that boxes share with each other, and with the machine. Which of their pages are in memory would be a
// message from one box to the next (a page that is touched comes in): so all are, before each box starts.
#pragma once

#include <filesystem>
#include <span>

namespace assay::trial {

/// Brings every page of those of `files` that are regular files into memory. They stay mapped until this process ends, and a box
/// cannot drop a page that another process maps. What cannot be read is left out: no box reads it either.
void keep_in_memory(std::span<const std::filesystem::path> files);

}  // namespace assay::trial
