// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace assay::spec {

/// Whether `word` may be the name of a category, a task or a case: [a-z][a-z0-9_]*.
constexpr bool is_name(std::string_view word) {
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !word.empty() && small(word.front()) &&
         std::ranges::all_of(word, [&](char c) { return small(c) || (c >= '0' && c <= '9') || c == '_'; });
}

/// `text` with small letters for the capitals A to Z.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

}  // namespace assay::spec
