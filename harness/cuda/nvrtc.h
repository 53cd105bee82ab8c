// SPDX-License-Identifier: Apache-2.0
// NVRTC, the compiler of the toolkit: a box does without.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cuda {

struct Compiled {
  bool good = false;
  std::string log;
  std::string cubin, ptx;  ///< of a good one
};

/// Loads NVRTC from its file libnvrtc.so*, with libnvrtc-builtins.so* beside it, for all that follows. Throws Error where that fails.
void load_nvrtc(const std::filesystem::path& file);

/// What NVRTC compiles for, as 90 of sm_90.
std::vector<int> known_architectures();

/// Compiles `source`, which messages call `name`, for an architecture such as sm_90a. It may include what lies in the folders of the
/// options -I, and the headers of the C library that hold types and limits. Throws Error where NVRTC does not know the architecture.
Compiled compile(const std::string& source, const std::string& name, const std::string& architecture,
                 const std::vector<std::string>& options);

}  // namespace assay::cuda
