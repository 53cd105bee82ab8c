// SPDX-License-Identifier: Apache-2.0
// A library as small as a loader takes it, put together byte by byte: a read-only segment with names, symbols and relocations, a
// writable one with the dynamic segment. It has no sections. Its headers may then be changed.
#pragma once

#include <link.h>

#include <cstring>
#include <string>
#include <vector>

namespace assay {

class MadeLibrary {
 public:
  struct Says {
    std::vector<std::string> needed, imports, own;
  };

  explicit MadeLibrary(const Says& says) {
    std::string names(1, '\0');
    const auto name = [&](const std::string& text) {
      names += text + '\0';
      return names.size() - text.size() - 1;
    };
    std::vector<ElfW(Dyn)> dynamic;
    for (const std::string& library : says.needed) dynamic.push_back({DT_NEEDED, {name(library)}});
    std::vector<ElfW(Sym)> symbols(1);
    for (const std::string& import : says.imports) add_symbol(symbols, name(import), SHN_UNDEF);
    for (const std::string& own : says.own) add_symbol(symbols, name(own), 1);
    std::vector<ElfW(Rela)> relocations;
    for (std::size_t i = 1; i < symbols.size(); ++i) relocations.push_back({kElsewhere, i << 32 | 6, 0});
    bytes_.resize(sizeof(ElfW(Ehdr)) + 3 * sizeof(ElfW(Phdr)));
    relocations_ = append(relocations.data(), relocations.size() * sizeof(ElfW(Rela)));
    const std::size_t symbols_at = append(symbols.data(), symbols.size() * sizeof(ElfW(Sym))),
                      names_at = append(names.data(), names.size());
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const std::size_t end = bytes_.size();
    dynamic.insert(dynamic.end(), {{DT_STRTAB, {names_at}},
                                   {DT_SYMTAB, {symbols_at}},
                                   {DT_RELA, {relocations_}},
                                   {DT_RELASZ, {relocations.size() * sizeof(ElfW(Rela))}},
                                   {DT_NULL, {0}}});
    dynamic_ = append(dynamic.data(), dynamic.size() * sizeof(ElfW(Dyn)));
    write_headers(end);
  }

  const std::string& bytes() const { return bytes_; }
  ElfW(Ehdr) & header() { return at<ElfW(Ehdr)>(0); }
  ElfW(Phdr) & segment(std::size_t i) { return at<ElfW(Phdr)>(sizeof(ElfW(Ehdr)) + i * sizeof(ElfW(Phdr))); }
  ElfW(Rela) & relocation(std::size_t i) { return at<ElfW(Rela)>(relocations_ + i * sizeof(ElfW(Rela))); }
  ElfW(Dyn) & entry(ElfW(Sxword) tag) {
    std::size_t place = dynamic_;
    while (at<ElfW(Dyn)>(place).d_tag != tag) place += sizeof(ElfW(Dyn));
    return at<ElfW(Dyn)>(place);
  }

 private:
  static constexpr std::size_t kElsewhere = 0x600000;  // what the relocations are of

  template <class T>
  T& at(std::size_t offset) {
    return *reinterpret_cast<T*>(bytes_.data() + offset);
  }
  std::size_t append(const void* data, std::size_t size) {
    const std::size_t place = bytes_.size();
    bytes_.append(static_cast<const char*>(data), size);
    return place;
  }
  static void add_symbol(std::vector<ElfW(Sym)>& symbols, std::size_t name, unsigned section) {
    ElfW(Sym) symbol{};
    symbol.st_name = static_cast<ElfW(Word)>(name);
    symbol.st_info = STB_GLOBAL << 4 | STT_FUNC;
    symbol.st_shndx = static_cast<ElfW(Section)>(section);
    symbols.push_back(symbol);
  }
  void write_headers(std::size_t end) {
    const std::size_t vaddr = (dynamic_ + 0x1fff) / 0x1000 * 0x1000 + dynamic_ % 0x1000, size = bytes_.size() - dynamic_;
    std::memcpy(header().e_ident, ELFMAG, SELFMAG);
    header().e_ident[EI_CLASS] = ELFCLASS64;
    header().e_ident[EI_DATA] = ELFDATA2LSB;
    header().e_type = ET_DYN;
    header().e_phoff = sizeof(ElfW(Ehdr));
    header().e_phentsize = sizeof(ElfW(Phdr));
    header().e_phnum = 3;
    segment(0) = {PT_LOAD, PF_R, 0, 0, 0, end, end, 0x1000};
    segment(1) = {PT_LOAD, PF_R | PF_W, dynamic_, vaddr, vaddr, size, size, 0x1000};
    segment(2) = {PT_DYNAMIC, PF_R | PF_W, dynamic_, vaddr, vaddr, size, size, 8};
  }

  std::string bytes_;
  std::size_t relocations_ = 0, dynamic_ = 0;
};

}  // namespace assay
