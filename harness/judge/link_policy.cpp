// SPDX-License-Identifier: Apache-2.0
#include "link_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "elf_file.h"

namespace assay {
namespace {

constexpr std::string_view kLoaders[] = {"dlopen", "dlmopen", "dlsym", "dlvsym", "__libc_dlopen_mode", "__libc_dlsym"};

/// CBLAS, the reference BLAS and LAPACK's Fortran names, MKL, oneDNN, OpenBLAS, PyTorch, ONNX Runtime, and ourselves.
const std::regex& numerical_library() {
  static const std::regex pattern(
      "(cblas_|openblas_|LAPACKE?_|mkl_|MKL_|dnnl_|Ort[A-Z]|(assay|at|c10|torch|onnx|Eigen|dnnl)::).*"
      "|[sdcz](ge|sy|he|tr|gb|sb|tb|hb|sp|hp|tp)[a-z0-9]{2,4}_|[sdciz]{1,2}(dot[uc]?|axpy|scal|copy|swap|nrm2|asum|amax|rotg?)_");
  return pattern;
}

}  // namespace

std::string forbidden_link(const std::filesystem::path& file, const std::vector<std::filesystem::path>& allowed) {
  const ElfFile elf = read_elf(file);
  for (const std::string& name : elf.needed) {
    const bool loader = name.starts_with("ld-linux") || name.starts_with("ld64");
    const bool known = std::ranges::any_of(allowed, [&](const auto& path) { return path.filename() == name; });
    if (!loader && !known) return fmt::format("is linked with {}, which kernels may not use", name);
  }
  for (const std::string& name : elf.imports) {
    if (std::ranges::find(kLoaders, name) != std::end(kLoaders)) return fmt::format("calls {}: kernels load no code", name);
    if (std::regex_match(name, numerical_library())) return fmt::format("asks for {}, if it is there", name);  // a weak symbol
  }
  return "";
}

std::string forbidden_reference(std::string_view diagnostics) {
  static const std::regex undefined("undefined (?:reference to|symbol:) [`']?([A-Za-z_][A-Za-z0-9_:]*)");
  const std::string text(diagnostics);
  for (std::sregex_iterator at(text.begin(), text.end(), undefined), end; at != end; ++at)
    if (const std::string name = (*at)[1]; std::regex_match(name, numerical_library())) return name;
  return "";
}

}  // namespace assay
