// SPDX-License-Identifier: Apache-2.0
#include "elf_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace assay {
namespace {

std::string text(const char* string) { return string == nullptr ? "" : string; }

void read_dynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFile& file) {
  Elf_Data* data = elf_getdata(section, nullptr);
  GElf_Dyn entry;
  for (int i = 0; data != nullptr && gelf_getdyn(data, i, &entry) != nullptr; ++i)
    if (entry.d_tag == DT_NEEDED) file.needed.push_back(text(elf_strptr(elf, header.sh_link, entry.d_un.d_val)));
}

void read_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFile& file) {
  Elf_Data* data = elf_getdata(section, nullptr);
  GElf_Sym symbol;
  for (int i = 1; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i)
    if (symbol.st_shndx == SHN_UNDEF) file.imports.push_back(text(elf_strptr(elf, header.sh_link, symbol.st_name)));
}

std::string read_interpreter(Elf* elf) {
  std::size_t count = 0, size = 0;
  elf_getphdrnum(elf, &count);
  const char* whole = elf_rawfile(elf, &size);
  GElf_Phdr header;
  for (std::size_t i = 0; i < count; ++i)
    if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_INTERP && header.p_offset < size)
      return {whole + header.p_offset, strnlen(whole + header.p_offset, std::min<std::size_t>(header.p_filesz, size - header.p_offset))};
  return "";
}

}  // namespace

ElfFile read_elf(const std::filesystem::path& path) {
  elf_version(EV_CURRENT);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw std::runtime_error(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(fd, ELF_C_READ_MMAP, nullptr), elf_end);
  close(fd);
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) throw std::runtime_error(fmt::format("{}: is no ELF file", path.string()));
  ElfFile file;
  file.interpreter = read_interpreter(elf.get());
  GElf_Shdr header;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (header.sh_type == SHT_DYNAMIC) read_dynamic(elf.get(), section, header, file);
    if (header.sh_type == SHT_DYNSYM) read_symbols(elf.get(), section, header, file);
  }
  return file;
}

}  // namespace assay
