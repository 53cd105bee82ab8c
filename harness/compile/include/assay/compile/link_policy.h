// SPDX-License-Identifier: Apache-2.0
// What a candidate may be linked with: the C and C++ libraries and OpenMP. A kernel that calls a BLAS, or that loads one by
// itself, is not the author's own. A candidate chooses the names: they may be of any length and hold any byte.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay::compile {

/// Why the library `file` may not be judged, empty where it may: it needs a library other than `allowed` and the loader, names a
/// function that loads code or imports a weak one of a numerical library, or is no file that the loader reads in one way alone.
/// Throws std::runtime_error where it cannot be read.
std::string forbidden_link(const std::filesystem::path& file, const std::vector<std::filesystem::path>& allowed);

/// Whether a function of this name belongs to a numerical library, or to this harness.
bool is_numerical(std::string_view name);

/// The first such function that the linker's diagnostics call undefined; empty if none.
std::string forbidden_reference(std::string_view diagnostics);

}  // namespace assay::compile
