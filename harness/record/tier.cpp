// SPDX-License-Identifier: Apache-2.0
#include "assay/record/tier.h"

#include <algorithm>

namespace assay::record {

std::string_view name(Tier tier) { return tier_names[static_cast<std::size_t>(tier)]; }

std::optional<Tier> tier_named(std::string_view name) {
  const auto found = std::ranges::find(tier_names, name);
  if (found == tier_names.end()) return std::nullopt;
  return static_cast<Tier>(found - tier_names.begin());
}

std::string known_tiers() {
  std::string known;
  for (auto tier = tier_names.rbegin(); tier != tier_names.rend(); ++tier) known += (known.empty() ? "" : " ") + std::string(*tier);
  return known;
}

}  // namespace assay::record
