// SPDX-License-Identifier: Apache-2.0
#include "assay/compile/link_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assay/record/printable.h"
#include "assay/sandbox/elf_file.h"

namespace assay::compile {
namespace {

using std::string_view;
constexpr std::size_t kLongestName = 100;  // of what is quoted

constexpr string_view kLoaders[] = {"dlopen", "dlmopen", "dlsym", "dlvsym", "__libc_dlopen_mode", "__libc_dlsym"};

/// CBLAS, OpenBLAS, LAPACK in C, MKL, oneDNN, and in C++ PyTorch, ONNX, Eigen, oneDNN and ourselves.
constexpr string_view kPrefixes[] = {"cblas_",  "openblas_", "LAPACK_", "LAPACKE_", "mkl_",   "MKL_",    "dnnl_",
                                     "assay::", "at::",      "c10::",   "torch::",  "onnx::", "Eigen::", "dnnl::"};
/// The reference BLAS and LAPACK in Fortran: <type><kind of matrix><operation>_, and <type or two><operation on vectors>_.
constexpr string_view kMatrices[] = {"ge", "sy", "he", "tr", "gb", "sb", "tb", "hb", "sp", "hp", "tp"};
constexpr string_view kVectorOperations[] = {"dot", "dotu", "dotc", "axpy", "scal", "copy", "swap", "nrm2", "asum", "amax", "rot", "rotg"};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_one_of(char c, string_view set) { return set.find(c) != set.npos; }

template <class List>
bool contains(const List& list, string_view item) {
  return std::ranges::find(list, item) != std::end(list);
}

bool is_matrix_function(string_view name) {  // without the '_'
  if (name.size() < 5 || name.size() > 7 || !is_one_of(name[0], "sdcz") || !contains(kMatrices, name.substr(1, 2))) return false;
  return std::ranges::all_of(name.substr(3), [](char c) { return is_lower(c) || is_digit(c); });
}

bool is_vector_function(string_view name) {  // without the '_'
  for (const std::size_t letters : {1u, 2u})
    if (name.size() > letters && contains(kVectorOperations, name.substr(letters)) &&
        std::ranges::all_of(name.substr(0, letters), [](char c) { return is_one_of(c, "sdciz"); }))
      return true;
  return false;
}

std::string shown(string_view name) { return record::cut_to(record::printable(name.substr(0, kLongestName)), kLongestName); }

/// Of a linker's line, the name after "undefined reference to `" or "undefined symbol: ".
string_view undefined_name(string_view line) {
  for (const string_view mark : {"undefined reference to ", "undefined symbol: "}) {
    const std::size_t at = line.find(mark);
    if (at == line.npos) continue;
    string_view name = line.substr(at + mark.size());
    if (!name.empty() && is_one_of(name[0], "`'")) name.remove_prefix(1);
    const auto end =
        std::ranges::find_if(name, [](char c) { return !is_lower(c) && !is_upper(c) && !is_digit(c) && c != '_' && c != ':'; });
    return name.substr(0, static_cast<std::size_t>(end - name.begin()));
  }
  return "";
}

}  // namespace

bool is_numerical(string_view name) {
  if (std::ranges::any_of(kPrefixes, [&](string_view prefix) { return name.starts_with(prefix); })) return true;
  if (name.size() > 3 && name.starts_with("Ort") && is_upper(name[3])) return true;  // ONNX Runtime
  if (!name.ends_with('_')) return false;
  name.remove_suffix(1);
  return is_matrix_function(name) || is_vector_function(name);
}

std::string forbidden_link(const std::filesystem::path& file, const std::vector<std::filesystem::path>& allowed) {
  sandbox::ElfFile elf;
  try {
    elf = sandbox::read_elf(file);
  } catch (const sandbox::ElfError& error) {
    return fmt::format("is no library that a loader reads in one way alone: {}", error.what());
  }
  for (const std::string& name : elf.needed) {
    const bool loader = (name.starts_with("ld-linux") || name.starts_with("ld64")) && name.find('/') == name.npos;
    const bool known = std::ranges::any_of(allowed, [&](const auto& path) { return path.filename() == name; });
    if (!loader && !known) return fmt::format("is linked with {}, which kernels may not use", shown(name));
  }
  for (const auto* names : {&elf.imports, &elf.own})
    for (const std::string& name : *names)
      if (contains(kLoaders, name)) return fmt::format("calls {}: kernels load no code", name);
  for (const std::string& name : elf.imports)
    if (is_numerical(name)) return fmt::format("asks for {}, if it is there", shown(name));  // a weak symbol
  return "";
}

std::string forbidden_reference(string_view diagnostics) {
  while (!diagnostics.empty()) {
    const string_view line = diagnostics.substr(0, diagnostics.find('\n'));
    if (const string_view name = undefined_name(line); is_numerical(name)) return shown(name);
    diagnostics.remove_prefix(std::min(diagnostics.size(), line.size() + 1));
  }
  return "";
}

}  // namespace assay::compile
