// SPDX-License-Identifier: Apache-2.0
// The files of a candidate, read once. What is checked, fingerprinted and compiled are these bytes: nothing that happens to the
// folder afterwards counts. Only regular files are read, by no link, for those of somebody else are not the candidate's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::compile {

struct SourceFile {
  std::filesystem::path name;  ///< relative to the candidate's folder
  std::string text;
};

struct SourceFiles {
  std::vector<SourceFile> files;  ///< sorted by name; headers, too
  std::string fault;              ///< why these files are no candidate; empty where they are
};

/// Reads `source`, a file or a folder of them (hidden ones aside). Throws std::runtime_error where this machine fails to.
SourceFiles read_source_files(const std::filesystem::path& source);

/// BLAKE2b over names and contents; "unfit" where there is a fault.
std::string fingerprint_of(const SourceFiles& sources);

/// The files one after the other, for people to read; their fault, where they are no candidate.
std::string text_of(const SourceFiles& sources);

/// Writes the files below `folder`, which is made. Throws std::runtime_error.
void write_source_files(const SourceFiles& sources, const std::filesystem::path& folder);

}  // namespace assay::compile
