// SPDX-License-Identifier: Apache-2.0
// What two libraries must share to be the same kernel.
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace assay {

/// Names and contents of all sections of a 64-bit ELF file that are loaded, but for its build id. Code alone will not do: literals
/// lie in .rodata. Throws std::runtime_error where it is no such file.
inline std::string loaded_image(const std::filesystem::path& library) {
  std::ifstream file(library, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto read = [&]<class T>(std::size_t at, T value) {
    if (at > bytes.size() || sizeof value > bytes.size() - at) throw std::runtime_error(library.string() + ": no whole ELF file");
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  const Elf64_Ehdr header = read(0, Elf64_Ehdr{});
  const auto section = [&](std::size_t i) { return read(header.e_shoff + i * header.e_shentsize, Elf64_Shdr{}); };
  const std::size_t names = section(header.e_shstrndx).sh_offset;
  std::string image;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr each = section(i);
    read(names + each.sh_name, char{});
    const std::string name = bytes.c_str() + names + each.sh_name;
    if ((each.sh_flags & SHF_ALLOC) == 0 || name == ".note.gnu.build-id") continue;
    image += name + '\0' + std::to_string(each.sh_size) + '\0';
    if (each.sh_type != SHT_NOBITS) image += bytes.substr(std::min<std::size_t>(each.sh_offset, bytes.size()), each.sh_size);
  }
  return image;
}

}  // namespace assay
