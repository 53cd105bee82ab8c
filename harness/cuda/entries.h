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

}  // namespace assay::cuda
