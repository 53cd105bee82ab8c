// SPDX-License-Identifier: Apache-2.0
// What a program or library asks of the dynamic loader (ELF, System V ABI chapter 5), read as the loader reads it: by program
// headers and the dynamic segment. Sections are not looked at: the loader knows none, and a file may say anything in them.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::sandbox {

struct ElfFile {
  std::string interpreter;           ///< PT_INTERP; empty in a library
  std::vector<std::string> needed;   ///< libraries that it has the loader open
  std::vector<std::string> imports;  ///< symbols that relocations name and the file does not define, without versions
  std::vector<std::string> own;      ///< symbols that relocations name and it defines: the loader looks for them elsewhere first
};

/// The file is no ELF file of this machine, or one that a loader could understand in another way than this reader.
class ElfError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws ElfError for such bytes.
ElfFile parse_elf(std::string_view bytes);

/// The same of a file. Throws ElfError, and std::runtime_error where the file cannot be read; both name it.
ElfFile read_elf(const std::filesystem::path& file);

}  // namespace assay::sandbox
