// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/nearness.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "assay/cases/expected.h"
#include "assay/spec/half.h"

namespace assay::cases {
namespace {

template <class Stored>
bool within(const Nearness& near, const Bytes& outputs, const Bytes& witness) {
  const auto* got = reinterpret_cast<const Stored*>(outputs.data());
  const auto* honest = reinterpret_cast<const Stored*>(witness.data());
  const Precision precision = precision_of(near.type);
  const std::size_t count = witness.size() / sizeof(Stored);
  double largest = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double right = honest[i],
                 error = std::abs(got[i] - right) /
                         (precision.roundoff * std::max(near.relative_scale * std::abs(right), near.scale) + precision.smallest_normal);
    largest = error > largest ? error : largest;
    squares += error * error;
  }
  // A NaN or an infinity anywhere makes the sum one: whether it is right there is for the oracle to say.
  return largest <= near.most && std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, count))) <= near.most_rms;
}

template <class Stored>
bool within_places(const Nearness& near, const Bytes& outputs, const Bytes& witness) {
  const auto* got = reinterpret_cast<const Stored*>(outputs.data());
  const auto* honest = reinterpret_cast<const Stored*>(witness.data());
  const std::size_t count = witness.size() / sizeof(Stored);
  const auto most = static_cast<std::size_t>(near.most_differing * static_cast<double>(count));
  std::size_t differing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (got[i] == honest[i]) continue;
    const double right = spec::double_from_bits(honest[i], near.type);
    const double distance = std::abs(spec::double_from_bits(got[i], near.type) - right);
    const double free = std::max(near.relative_scale * std::abs(right), near.scale);
    if (++differing > most || !std::isfinite(distance) || !(distance <= spec::spacing(right, near.type) + free)) return false;
  }
  return true;
}

/// How far errors and roundings on the way may move each element, beside its own rounding.
oracle::Elements<double> room_of(const ExpectedTensor& evaluated) {
  const Precision precision = precision_of(evaluated.type);
  oracle::Elements<double> room(evaluated.values.size());
  for (std::size_t i = 0; i < room.size(); ++i) {
    const double all = evaluated.max_bound * precision.roundoff * evaluated.scales[i] + evaluated.slack_at(i);
    room[i] = std::max(0.0, all - spec::spacing(evaluated.values[i], evaluated.type) / 2);
  }
  return room;
}

double most_differing(const ExpectedTensor& evaluated, const oracle::Elements<double>& room) {
  double share = 0;
  for (std::size_t i = 0; i < room.size(); ++i) share += std::min(1.0, room[i] / spec::spacing(evaluated.values[i], evaluated.type));
  return share / static_cast<double>(std::max<std::size_t>(1, room.size()));
}

/// What all but `share` of the values reach; 0 where that is no number.
double quantile(oracle::Elements<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  std::ranges::nth_element(values, at);
  return std::isfinite(*at) ? *at : 0;
}

/// Where the last step is a cast, most elements have no room (expected.h). Errors before the cast show in those that are so small that they
/// may move by more than two units in the last place: what nine of ten of these may move by.
double room_before_cast(const ExpectedTensor& evaluated, const oracle::Elements<double>& room) {
  oracle::Elements<double> small;
  for (std::size_t i = 0; i < room.size(); ++i)
    if (room[i] > 2 * spec::spacing(evaluated.values[i], evaluated.type)) small.push_back(room[i]);
  return quantile(std::move(small), 0.1);
}

/// From `room`, how far each element may be off, what the typical element may.
void set_scales(Nearness& near, const ExpectedTensor& evaluated, oracle::Elements<double> room) {
  oracle::Elements<double> relative;
  for (std::size_t i = 0; i < room.size(); ++i)
    if (evaluated.values[i] != 0) relative.push_back(room[i] / std::abs(evaluated.values[i]));
  near.scale = quantile(std::move(room), 0.5);
  near.relative_scale = quantile(std::move(relative), 0.1);
}

}  // namespace

Nearness nearness(const ExpectedTensor& evaluated, bool strict) {
  Nearness near{evaluated.type, 0, 0, 0, 0, 0};
  if (strict || !spec::is_real(evaluated.type)) return near;
  if (spec::is_short_real(evaluated.type)) {
    const oracle::Elements<double> room = room_of(evaluated);
    near.most_differing = most_differing(evaluated, room);
    set_scales(near, evaluated, room);
    if (near.scale == 0) near.scale = room_before_cast(evaluated, room);
    near.scale /= 2, near.relative_scale /= 2;
    return near;
  }
  set_scales(near, evaluated, evaluated.scales);
  near.most = evaluated.max_bound / 2;
  near.most_rms = evaluated.rms_bound / 2;
  return near;
}

bool is_near(const Nearness& near, const Bytes& outputs, const Bytes& witness) {
  if (outputs.size() != witness.size()) return false;
  if (outputs.empty() || std::memcmp(outputs.data(), witness.data(), outputs.size()) == 0) return true;
  if (spec::is_short_real(near.type))
    return spec::size_of(near.type) == 2 ? within_places<std::uint16_t>(near, outputs, witness)
                                         : within_places<std::uint8_t>(near, outputs, witness);
  if (near.most == 0) return false;
  return near.type == spec::ElementType::f64 ? within<double>(near, outputs, witness) : within<float>(near, outputs, witness);
}

}  // namespace assay::cases
