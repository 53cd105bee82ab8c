// SPDX-License-Identifier: Apache-2.0
#include "assay/oracle/rounding.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/oracle/bounded.h"
#include "assay/spec/half.h"

namespace assay::oracle {
namespace {

thread_local Rounding current = Rounding::every;
thread_local bool holds_moved = false;
thread_local std::uint64_t picks = 0;

/// A coin for each place (SplitMix64).
bool picked() {
  std::uint64_t x = picks += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return ((x ^ (x >> 31)) & 1) != 0;
}

/// How far a rounded number may be from `kept`, of which it was off by `moved` before its rounding. First-order analysis knows the part
/// `propagated` of that to a sixteenth.
double with_rounding(double kept, double moved, double propagated, ElementType type) {
  const double reach = moved + propagated / 16;
  return std::max({moved, spec::stored_as(kept + reach, type) - kept, kept - spec::stored_as(kept - reach, type)});
}

Bounded rounded_to_type(Bounded x, ElementType type) {
  const double kept = spec::stored_as(x.value, type);
  if (!holds_moved || !std::isfinite(kept)) return {kept, x.error};
  const double propagated = kMovedUnits * kRoundoff * x.error, moved = propagated + std::abs(x.value - kept);
  if (moved == 0) return x;
  return {kept, with_rounding(kept, moved, propagated, type) / (kMovedUnits * kRoundoff)};
}

double rounded_to_type(double x, ElementType type) { return spec::stored_as(x, type); }
float rounded_to_type(float x, ElementType type) { return static_cast<float>(spec::stored_as(x, type)); }

}  // namespace

RoundingScope::RoundingScope(Rounding rounding) : before_(std::exchange(current, rounding)) { picks = 0; }
RoundingScope::~RoundingScope() { current = before_; }

MovedScope::MovedScope() : before_(std::exchange(holds_moved, true)), units_before_(std::exchange(accepted_units, kMovedUnits)) {}
MovedScope::~MovedScope() {
  holds_moved = before_;
  accepted_units = units_before_;
}

template <class T>
void round_result(Value<T>& value) {
  auto* reals = std::get_if<Tensor<T>>(&value.elements);
  if (reals == nullptr || current == Rounding::none || (current == Rounding::some && !picked())) return;
  for (T& x : *reals) x = rounded_to_type(x, value.type);
}

template void round_result(Value<double>&);
template void round_result(Value<float>&);
template void round_result(Value<Bounded>&);

}  // namespace assay::oracle
