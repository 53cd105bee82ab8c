// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "assay/report/formats.h"

namespace assay::report {

using record::ShapeTiming;

namespace {

/// Efficiency is a mean, but reads as a percentage as proportions do.
bool is_percentage(const Column& column) { return column.metric->scale == Scale::proportion || column.name == "efficiency"; }

std::string ratio(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : value >= 100 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

}  // namespace

std::string spell(const Column& column, const Estimate& estimate) {
  switch (estimate.state) {
    case EstimateState::refused: return "n<k";
    case EstimateState::not_run: return "not run";
    case EstimateState::empty: return "-";
    case EstimateState::untimed: return "untimed";
    case EstimateState::value: break;
  }
  return is_percentage(column) ? fmt::format("{:.1f}%", 100 * estimate.value) : ratio(estimate.value) + "x";
}

std::string spell(const ShapeTiming& shape) {
  std::string dims;
  for (const auto& [name, extent] : shape.dims) dims += fmt::format("{}{}={}", dims.empty() ? "" : ",", name, extent);
  if (!shape.speedup) return dims + ": -";
  return fmt::format("{}: {:.3g}x [{:.3g}, {:.3g}]", dims, shape.speedup->estimate, shape.speedup->low, shape.speedup->high);
}

std::string spell_interval(const Column& column, const Estimate& estimate) {
  if (estimate.state != EstimateState::value || !estimate.low) return "";
  return is_percentage(column) ? fmt::format("[{:.1f}, {:.1f}]", 100 * *estimate.low, 100 * *estimate.high)
                               : fmt::format("[{}, {}]", ratio(*estimate.low), ratio(*estimate.high));
}

}  // namespace assay::report
