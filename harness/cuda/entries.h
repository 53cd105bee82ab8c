// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cuda {

/// The kernels of a program in PTX by name, and how many bytes each of their parameters has. An address has 8.
std::map<std::string, std::vector<std::uint64_t>> entries_of(std::string_view ptx);

/// Whether a program in PTX may keep anything from launch to launch: it names a variable (.global, .const) elsewhere than where that is
/// declared, which a source's own assembler may do at any place. A `constexpr` that has become part of the code is declared and not named
/// again. What cannot be read counts as used.
bool uses_variables(std::string_view ptx);

}  // namespace assay::cuda
