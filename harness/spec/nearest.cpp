// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace assay::spec {
namespace {

/// Levenshtein's distance: how many characters are to be changed, added or taken away.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({change, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t most = 3;
  const std::size_t allowed = name.size() < 3 ? name.size() / 2 : std::max<std::size_t>(2, name.size() / 3);
  std::multimap<std::size_t, std::string> near;
  for (const std::string& word : known)
    if (const std::size_t distance = edits(name, word); distance <= allowed) near.emplace(distance, word);
  // Who has typed the beginning of a name has made many edits, and is near all the same.
  for (const std::string& word : known)
    if (near.empty() && !name.empty() && word.find(name) != std::string::npos) near.emplace(0, word);
  std::vector<std::string> best;
  for (const auto& [distance, word] : near)
    if (distance == near.begin()->first && best.size() < most) best.push_back(word);
  return best.empty() ? "" : fmt::format(". did you mean: {}?", fmt::join(best, ", "));
}

}  // namespace assay::spec
