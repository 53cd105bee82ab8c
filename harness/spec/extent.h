// SPDX-License-Identifier: Apache-2.0
// Extents as inputs' draws name them: a number, a dimension, or a product of such, "M * 16".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::spec {

/// The factors of `text`, without spaces around them.
std::vector<std::string> factors_of(const std::string& text);

/// Their product; std::out_of_range where a dimension has no value.
std::int64_t extent_of(const std::string& text, const std::map<std::string, std::int64_t>& dims);

}  // namespace assay::spec
