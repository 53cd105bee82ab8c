// SPDX-License-Identifier: Apache-2.0
// Sine, cosine, tangent and their inverses of float32 in loops that the compiler vectorises. Include this first.
//
// Errors in units in the last place: at most 2 of sin, cos and acos, 3 of atan and asin, 4 of tan. NaN, infinities, zeros and arguments
// outside of the domain give what the C library gives.
#pragma once

#include "blocks/vectors.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace blocks {

constexpr float kLargestAngle = 0x1p21f;  ///< up to which an angle is reduced to a quarter turn in double

struct Angle {
  uint32_t quarters;
  float sine, cosine;  ///< of what is left, |rest| <= pi / 4
};

inline Angle reduced_angle(float x) {
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, which then stands in the lowest bits
  const double wide = x, shifted = wide * 0x1.45f306dc9c883p-1 + shift, n = shifted - shift;
  const float r = static_cast<float>(wide - n * 0x1.921fb544p0 - n * 0x1.0b4611a626331p-34), z = r * r;
  float sine = -0.000195172199f;
  sine = sine * z + 0.00833217758f;
  sine = sine * z - 0.166666549f;
  float cosine = 2.44383622e-05f;
  cosine = cosine * z - 0.00138873668f;
  cosine = cosine * z + 0.0416666469f;
  return {static_cast<uint32_t>(std::bit_cast<uint64_t>(shifted)), sine * z * r + r, cosine * z * z + (1.0f - 0.5f * z)};
}

inline float with_sign(float x, uint32_t sign) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) ^ (sign << 31)); }

inline float near_sin(float x) {
  const Angle angle = reduced_angle(x);
  const float y = with_sign((angle.quarters & 1) != 0 ? angle.cosine : angle.sine, angle.quarters >> 1 & 1);
  return x == 0.0f ? x : y;
}

inline float near_cos(float x) {
  const Angle angle = reduced_angle(x);
  return with_sign((angle.quarters & 1) != 0 ? angle.sine : angle.cosine, (angle.quarters + 1) >> 1 & 1);
}

inline float near_tan(float x) {
  const Angle angle = reduced_angle(x);
  const bool odd = (angle.quarters & 1) != 0;
  const float y = with_sign((odd ? angle.cosine : angle.sine) / (odd ? angle.sine : angle.cosine), angle.quarters & 1);
  return x == 0.0f ? x : y;
}

/// y[i] = near(x[i]) in runs that vectorise; far(x[i]) in a run that has an angle above kLargestAngle, or no number.
template <class Near, class Far>
void each_angle(const float* x, float* y, int64_t n, Near near, Far far) {
  constexpr int64_t run = 256;
  for (int64_t first = 0; first < n; first += run) {
    const int64_t count = n - first < run ? n - first : run;
    int32_t beyond = 0;
    for (int64_t i = 0; i < count; ++i) beyond |= !(x[first + i] <= kLargestAngle && x[first + i] >= -kLargestAngle);
    if (beyond == 0)
      for (int64_t i = 0; i < count; ++i) y[first + i] = near(x[first + i]);
    else
      for (int64_t i = 0; i < count; ++i) y[first + i] = far(x[first + i]);
  }
}

inline void sin(const float* x, float* y, int64_t n) { each_angle(x, y, n, near_sin, [](float a) { return std::sin(a); }); }
inline void cos(const float* x, float* y, int64_t n) { each_angle(x, y, n, near_cos, [](float a) { return std::cos(a); }); }
inline void tan(const float* x, float* y, int64_t n) { each_angle(x, y, n, near_tan, [](float a) { return std::tan(a); }); }

inline float atan(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const bool far = magnitude > 2.41421356f, middle = magnitude > 0.414213562f;
  const float outer = far ? -1.0f : magnitude - 1.0f, inner = far ? magnitude : magnitude + 1.0f;
  const float t = middle ? outer / inner : magnitude, z = t * t;
  float p = 0.0474792845f;
  p = p * z - 0.0847824554f;
  p = p * z + 0.110450661f;
  p = p * z - 0.1428204f;
  p = p * z + 0.199999051f;
  p = p * z - 0.333333325f;
  const float base = far ? 0x1.921fb6p0f : (middle ? 0x1.921fb6p-1f : 0.0f);
  const float low = far ? -0x1.777a5cp-25f : (middle ? -0x1.777a5cp-26f : 0.0f);
  const float y = base + (low + (p * z * t + t));
  return x == 0.0f ? x : (x < 0.0f ? -y : y);
}

/// For |x| <= 1/2.
inline float near_asin(float x) {
  const float z = x * x;
  float p = 0.0375651884f;
  p = p * z + 0.014402615f;
  p = p * z + 0.0318176093f;
  p = p * z + 0.0445157205f;
  p = p * z + 0.0750051092f;
  p = p * z + 0.166666599f;
  return p * z * x + x;
}

/// Above 1/2 by the half angle: acos(x) = 2 asin(sqrt((1 - x) / 2)).
inline float asin(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const bool far = magnitude > 0.5f;
  const float part = near_asin(far ? std::sqrt(0.5f - 0.5f * magnitude) : magnitude);
  const float y = far ? 0x1.921fb6p0f - (2.0f * part + 0x1.777a5cp-25f) : part;
  return x == 0.0f ? x : (x < 0.0f ? -y : y);
}

inline float acos(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const bool far = magnitude > 0.5f;
  const float part = near_asin(far ? std::sqrt(0.5f - 0.5f * magnitude) : x);
  const float beyond = x < 0.0f ? 0x1.921fb6p1f - (2.0f * part + 0x1.777a5cp-24f) : 2.0f * part;
  return far ? beyond : 0x1.921fb6p0f - (part + 0x1.777a5cp-25f);
}

}  // namespace blocks
