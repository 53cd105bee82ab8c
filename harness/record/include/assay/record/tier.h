// SPDX-License-Identifier: Apache-2.0
// How much of the sandbox held a candidate. Which layers make which tier is the sandbox's to say.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace assay::record {

/// Weakest first: a tier satisfies whoever requires one that is not greater.
enum class Tier { none, reduced, full };

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 3> tier_names = {"none", "reduced", "full"};

std::string_view name(Tier tier);
std::optional<Tier> tier_named(std::string_view name);
/// "full reduced none": what messages list.
std::string known_tiers();

}  // namespace assay::record
