// SPDX-License-Identifier: Apache-2.0
#include "assay/report/canary.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "assay/record/output.h"

namespace assay::report {

namespace {

constexpr std::string_view name_prefix = "assay.canary.";
constexpr double largest_bias = 0.01, largest_half_width = 0.035;

}  // namespace

std::string Canary::when() const { return test.substr(name_prefix.size()); }

std::string Canary::doubt() const {
  if (low > 1 + largest_bias || high < 1 - largest_bias)
    return fmt::format("the timing canary {}, a baseline against itself, excludes 1", spell(*this));
  if ((high - low) / 2 > largest_half_width)
    return fmt::format("the timing canary {}, a baseline against itself, is too uncertain", spell(*this));
  return "";
}

bool is_canary(std::string_view test) { return test.starts_with(name_prefix); }

std::optional<Canary> read_canary(std::string test, std::string file, std::string_view output) {
  if (!output.starts_with(record::canary_prefix)) return std::nullopt;
  output.remove_prefix(record::canary_prefix.size());
  const auto json = nlohmann::json::parse(output.substr(0, output.find('\n')), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Canary canary{std::move(test), std::move(file)};
  for (const auto& [key, value] : {std::pair("ratio", &canary.ratio), std::pair("low99", &canary.low), std::pair("high99", &canary.high),
                                   std::pair("steal", &canary.steal)}) {
    const auto field = json.find(key);
    if (field == json.end() || !field->is_number()) return std::nullopt;
    *value = field->get<double>();
  }
  if (!(0 < canary.low && canary.low <= canary.ratio && canary.ratio <= canary.high)) return std::nullopt;
  canary.launches = json.value("launches", 0);
  return canary;
}

std::string spell(const Canary& canary) {
  return fmt::format("{} {:.3f} [{:.3f}, {:.3f}]", canary.when(), canary.ratio, canary.low, canary.high);
}

}  // namespace assay::report
