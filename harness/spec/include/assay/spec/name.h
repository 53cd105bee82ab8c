// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace assay::spec {

/// Whether `word` may be the name of a category, a task or a case: [a-z][a-z0-9_]*.
constexpr bool is_name(std::string_view word) {
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !word.empty() && small(word.front()) &&
         std::ranges::all_of(word, [&](char c) { return small(c) || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace assay::spec
