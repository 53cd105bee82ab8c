// SPDX-License-Identifier: Apache-2.0
#include "assay/program/object_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace assay::program {
namespace {

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) throw ObjectError("is cut off");
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string_view part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) throw ObjectError("is cut off");
    return bytes_.substr(offset, size);
  }

 private:
  std::string_view bytes_;
};

std::string text_in(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) throw ObjectError("has a name outside of its table");
  const std::string_view rest = table.substr(offset);
  const std::size_t end = rest.find('\0');
  if (end == rest.npos) throw ObjectError("has a name without an end");
  return std::string(rest.substr(0, end));
}

/// Sections that are run, or obeyed, before or around main(), without the order that constructors have.
std::string fault_of_section(const std::string& name, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_PREINIT_ARRAY || name.starts_with(".preinit_array"))
    return "has functions that run before the test's filter (.preinit_array)";
  if (name == ".init" || name == ".fini") return fmt::format("has code in the section {}", name);
  if (name.starts_with(".gnu.lto_")) return "is an object of link-time optimisation";
  if ((section.sh_flags & SHF_ALLOC) != 0 && (section.sh_flags & SHF_WRITE) != 0 && (section.sh_flags & SHF_EXECINSTR) != 0)
    return "has a section that is data and code";
  return "";
}

void read_symbols(const Bytes& bytes, const Elf64_Shdr& table, const Elf64_Shdr& strings, ObjectFile& object) {
  const std::string_view names = bytes.part(strings.sh_offset, strings.sh_size);
  if (table.sh_entsize != sizeof(Elf64_Sym)) throw ObjectError("has a symbol table of odd entries");
  for (std::uint64_t i = 1; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
    const auto symbol = bytes.at<Elf64_Sym>(table.sh_offset + i * sizeof(Elf64_Sym));
    const unsigned bind = ELF64_ST_BIND(symbol.st_info), type = ELF64_ST_TYPE(symbol.st_info);
    if (type == STT_GNU_IFUNC) object.faults.emplace_back("has a function that is chosen while it is loaded (IFUNC)");
    if (bind == STB_LOCAL) continue;
    Symbol found{text_in(names, symbol.st_name), symbol.st_shndx != SHN_UNDEF, bind != STB_GLOBAL,
                 type == STT_OBJECT || type == STT_TLS || symbol.st_shndx == SHN_COMMON};
    if (found.name.find('@') != std::string::npos) object.faults.emplace_back("has a symbol with a version");
    for (const unsigned char c : found.name)
      if (c <= ' ' || c == 0x7f)
        throw ObjectError("has a symbol with a blank or a control character in its name");  // lists have one a line
    object.globals.push_back(std::move(found));
  }
}

}  // namespace

ObjectFile parse_object(std::string_view text) {
  const Bytes bytes(text);
  const auto header = bytes.at<Elf64_Ehdr>(0);
#if defined(__x86_64__)
  constexpr auto kMachine = EM_X86_64;
#else
  constexpr auto kMachine = EM_AARCH64;
#endif
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL || header.e_machine != kMachine ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    throw ObjectError("is no object file of this machine");
  const auto section = [&](std::uint64_t index) { return bytes.at<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr)); };
  // More sections than a header can count: their number stands in the first.
  const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : section(0).sh_size;
  const std::uint64_t naming = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : section(0).sh_link;
  if (count > text.size() / sizeof(Elf64_Shdr) || naming >= count) throw ObjectError("has more sections than bytes");
  const Elf64_Shdr names = section(naming);
  const std::string_view name_table = bytes.part(names.sh_offset, names.sh_size);
  ObjectFile object;
  int tables = 0;
  for (std::uint64_t i = 1; i < count; ++i) {
    const Elf64_Shdr each = section(i);
    if (std::string fault = fault_of_section(text_in(name_table, each.sh_name), each); !fault.empty())
      object.faults.push_back(std::move(fault));
    if (each.sh_type != SHT_SYMTAB) continue;
    if (++tables > 1 || each.sh_link >= count) throw ObjectError("has two symbol tables, or one without names");
    read_symbols(bytes, each, section(each.sh_link), object);
  }
  return object;
}

ObjectFile read_object(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("{} cannot be read", file.string()));
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parse_object(bytes);
}

}  // namespace assay::program
