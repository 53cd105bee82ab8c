// SPDX-License-Identifier: Apache-2.0
#include "assay/sandbox/elf_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>

#include "assay/spec/descriptor.h"

namespace assay::sandbox {
namespace {

using Address = ElfW(Addr);
constexpr Address kPage = 4096;  // the smallest: what overlaps in larger ones overlaps for loaders that use those
constexpr int kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr int kOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
/// Entries beside DT_NEEDED that make a loader open a file.
constexpr ElfW(Sxword) kOpening[] = {DT_NEEDED, DT_AUXILIARY, DT_FILTER, DT_AUDIT, DT_DEPAUDIT};

/// An object of the file's bytes, which need not be aligned.
template <class T>
T object_at(std::string_view bytes, std::size_t offset, const char* what) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) throw ElfError(fmt::format("{} ends outside of the file", what));
  T object;
  std::memcpy(&object, bytes.data() + offset, sizeof object);
  return object;
}

struct Segment {
  Address begin, end;  ///< of what it has of the file
  Address end_in_memory;
  std::string_view bytes;
  bool writable;
};

/// The file as the loader maps it, and what its dynamic segment says. For each of the tags below the last entry counts.
class Image {
 public:
  explicit Image(std::string_view bytes) : bytes_(bytes) {
    const auto header = object_at<ElfW(Ehdr)>(bytes, 0, "the header");
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw ElfError("is no ELF file");
    if (header.e_ident[EI_CLASS] != kClass || header.e_ident[EI_DATA] != kOrder) throw ElfError("is of another machine");
    if (header.e_phentsize != sizeof(ElfW(Phdr))) throw ElfError("has program headers of another size");
    for (std::size_t i = 0; i < header.e_phnum; ++i)
      take(object_at<ElfW(Phdr)>(bytes, checked_sum(header.e_phoff, i * sizeof(ElfW(Phdr))), "a program header"));
  }

  ElfFile read() const {
    ElfFile file;
    if (interpreter_) file.interpreter = until_nul(*interpreter_);
    if (!dynamic_) return file;
    const Dynamic dynamic = read_dynamic();
    for (const Address name : dynamic.needed) file.needed.push_back(name_at(dynamic, name));
    for (const ElfW(Word) index : named_symbols(dynamic)) {
      const auto symbol =
          object_at<ElfW(Sym)>(constant_at(checked_sum(dynamic.symbols, std::size_t{index} * sizeof(ElfW(Sym)))), 0, "a symbol");
      (symbol.st_shndx == SHN_UNDEF ? file.imports : file.own).push_back(name_at(dynamic, symbol.st_name));
    }
    return file;
  }

 private:
  struct Table {
    Address at = 0, bytes = 0;
  };
  struct Dynamic {
    Address strings = 0, symbols = 0;
    Table rela, rel, plt;
    bool plt_has_addends = true;
    std::vector<Address> needed;
  };

  static Address checked_sum(Address a, Address b) {
    if (a + b < a) throw ElfError("has an address beyond all memory");
    return a + b;
  }

  void take(const ElfW(Phdr) & header) {
    if (header.p_type != PT_LOAD && header.p_type != PT_DYNAMIC && header.p_type != PT_INTERP) return;
    if (header.p_offset > bytes_.size() || header.p_filesz > bytes_.size() - header.p_offset)
      throw ElfError("has a segment outside of the file");
    const Segment segment{header.p_vaddr, checked_sum(header.p_vaddr, header.p_filesz), checked_sum(header.p_vaddr, header.p_memsz),
                          bytes_.substr(header.p_offset, header.p_filesz), (header.p_flags & PF_W) != 0};
    if (header.p_type == PT_INTERP) {
      interpreter_ = segment.bytes;
    } else if (header.p_type == PT_DYNAMIC) {
      if (dynamic_) throw ElfError("has two dynamic segments");
      dynamic_ = segment;
    } else {
      // Where two segments share a page, the later one hides what the earlier one has there.
      if (header.p_filesz > header.p_memsz || header.p_offset % kPage != header.p_vaddr % kPage ||
          (!segments_.empty() && segment.begin / kPage * kPage < (segments_.back().end_in_memory + kPage - 1) / kPage * kPage))
        throw ElfError("has segments that overlap, or are not in order");
      segments_.push_back(segment);
    }
  }

  const Segment& segment_at(Address address) const {
    for (const Segment& segment : segments_)
      if (address >= segment.begin && address < segment.end) return segment;
    throw ElfError("has a table outside of its segments");
  }
  std::string_view bytes_at(Address address) const {
    const Segment& segment = segment_at(address);
    return segment.bytes.substr(address - segment.begin);
  }
  /// What relocations could write to may be something else by the time that the loader reads it.
  std::string_view constant_at(Address address) const {
    if (segment_at(address).writable) throw ElfError("has a table of the loader where it can be written");
    return bytes_at(address);
  }
  static std::string until_nul(std::string_view bytes) {
    const std::size_t end = bytes.find('\0');
    if (end == bytes.npos) throw ElfError("has a name without an end");
    return std::string(bytes.substr(0, end));
  }
  std::string name_at(const Dynamic& dynamic, Address offset) const { return until_nul(constant_at(checked_sum(dynamic.strings, offset))); }

  Dynamic read_dynamic() const {
    const std::string_view bytes = bytes_at(dynamic_->begin);
    Dynamic dynamic;
    for (std::size_t at = 0;; at += sizeof(ElfW(Dyn))) {
      const auto entry = object_at<ElfW(Dyn)>(bytes, at, "the dynamic segment");
      const Address value = entry.d_un.d_val;
      if (entry.d_tag == DT_NULL) return dynamic;
      if (std::ranges::find(kOpening, entry.d_tag) != std::end(kOpening)) dynamic.needed.push_back(value);
      if (entry.d_tag == DT_TEXTREL || (entry.d_tag == DT_FLAGS && (value & DF_TEXTREL) != 0))
        throw ElfError("has relocations of what is read-only");
      set_table(dynamic, entry.d_tag, value);
    }
  }

  static void set_table(Dynamic& dynamic, ElfW(Sxword) tag, Address value) {
    switch (tag) {
      case DT_STRTAB: dynamic.strings = value; break;
      case DT_SYMTAB: dynamic.symbols = value; break;
      case DT_RELA: dynamic.rela.at = value; break;
      case DT_RELASZ: dynamic.rela.bytes = value; break;
      case DT_REL: dynamic.rel.at = value; break;
      case DT_RELSZ: dynamic.rel.bytes = value; break;
      case DT_JMPREL: dynamic.plt.at = value; break;
      case DT_PLTRELSZ: dynamic.plt.bytes = value; break;
      case DT_PLTREL: dynamic.plt_has_addends = value == DT_RELA; break;
      default: break;
    }
  }

  std::set<ElfW(Word)> named_symbols(const Dynamic& dynamic) const {
    std::set<ElfW(Word)> symbols;
    add_symbols<ElfW(Rela)>(dynamic.rela, symbols);
    add_symbols<ElfW(Rel)>(dynamic.rel, symbols);
    if (dynamic.plt_has_addends) add_symbols<ElfW(Rela)>(dynamic.plt, symbols);
    else add_symbols<ElfW(Rel)>(dynamic.plt, symbols);
    symbols.erase(0);
    return symbols;
  }

  template <class Relocation>
  void add_symbols(const Table& table, std::set<ElfW(Word)>& symbols) const {
    if (table.bytes < sizeof(Relocation)) return;
    const std::string_view bytes = constant_at(table.at);
    for (std::size_t at = 0; table.bytes - at >= sizeof(Relocation); at += sizeof(Relocation)) {
      const auto relocation = object_at<Relocation>(bytes, at, "a relocation");
      // The loader reads the segment again at each symbol: whoever changes it chooses other tables.
      if (relocation.r_offset < dynamic_->end && relocation.r_offset + sizeof(Address) > dynamic_->begin)
        throw ElfError("has a relocation of its own dynamic segment");
      symbols.insert(static_cast<ElfW(Word)>(kClass == ELFCLASS64 ? relocation.r_info >> 32 : relocation.r_info >> 8));
    }
  }

  std::string_view bytes_;
  std::vector<Segment> segments_;
  std::optional<Segment> dynamic_;
  std::optional<std::string_view> interpreter_;
};

/// A file's bytes, mapped.
class Mapping {
 public:
  explicit Mapping(const std::filesystem::path& path) {
    const spec::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    const bool regular = file && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
    if (regular && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
    }
    if (!file || data_ == MAP_FAILED) throw std::runtime_error(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
    if (data_ == nullptr) throw ElfError("is no ELF file");
  }
  ~Mapping() { munmap(data_, size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

ElfFile parse_elf(std::string_view bytes) { return Image(bytes).read(); }

ElfFile read_elf(const std::filesystem::path& path) try { return parse_elf(Mapping(path).bytes()); } catch (const ElfError& error) {
  throw ElfError(fmt::format("{}: {}", path.string(), error.what()));
}

}  // namespace assay::sandbox
