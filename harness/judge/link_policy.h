// SPDX-License-Identifier: Apache-2.0
// What a candidate may be linked with: the C and C++ libraries and OpenMP. A kernel that calls a BLAS, or that loads one by
// itself, is not the author's own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Why the library `file` may not be judged, empty where it may: it needs a library other than `allowed` and the loader, or
/// imports a function that loads code or a weak one of a numerical library. Throws std::runtime_error where it is no ELF file.
std::string forbidden_link(const std::filesystem::path& file, const std::vector<std::filesystem::path>& allowed);

/// The first function of a numerical library or of this harness that the linker's diagnostics call undefined; empty if none.
std::string forbidden_reference(std::string_view diagnostics);

}  // namespace assay
