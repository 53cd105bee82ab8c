// SPDX-License-Identifier: Apache-2.0
// What a compiler said, kept beside the library as <prefix>.compile.json. The candidate has a say in every byte of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/record/record.h"

namespace assay::compile {

/// Bytes of a compiler's diagnostics that are kept.
inline constexpr std::size_t kDiagnosticsKept = 16 * 1024;

struct StoredCompilation {
  record::Record record;  ///< without what the task and the run say of the candidate
  std::string source;     ///< fingerprint of the sources that it is of
  std::string diagnostics;
  std::string library;                 ///< fingerprint of the library; empty where there is none
  std::string launch;                  ///< the source itself where it has a launch block
  std::vector<std::string> libraries;  ///< of a device's driver, which a box of that device sees
};

/// JSON in ASCII; bytes that are no UTF-8 become U+FFFD.
std::string to_text(const StoredCompilation& stored);
/// `file` is what messages call the text. Throws std::runtime_error where it is no such JSON, or its record has no known verdict.
StoredCompilation parse_compilation(std::string_view text, const std::filesystem::path& file);

/// The file's first `most` bytes, and how many there are where that is not all.
std::string read_diagnostics(int fd, std::size_t most);

/// The line of the first error in a compiler's diagnostics, for a record's one-line detail.
std::string first_error(const std::string& diagnostics);

}  // namespace assay::compile
