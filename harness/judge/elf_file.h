// SPDX-License-Identifier: Apache-2.0
// What a program or library asks of the dynamic loader (ELF, System V ABI chapter 5).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct ElfFile {
  std::string interpreter;           ///< PT_INTERP; empty in a library
  std::vector<std::string> needed;   ///< DT_NEEDED
  std::vector<std::string> imports;  ///< undefined dynamic symbols, without versions
};

/// Throws std::runtime_error naming the file where it cannot be read as ELF.
ElfFile read_elf(const std::filesystem::path& file);

}  // namespace assay
