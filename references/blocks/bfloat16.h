// SPDX-License-Identifier: Apache-2.0
// bfloat16 in memory and float32 in registers, by bits, in loops that the compiler vectorises: its own conversions may call a function for
// each number. Include kernel.h first.
#pragma once

#include <bit>
#include <cstdint>

namespace blocks {

using Bits [[gnu::may_alias]] = uint16_t;

inline float load(const bfloat16& from) { return std::bit_cast<float>(static_cast<uint32_t>(reinterpret_cast<const Bits&>(from)) << 16); }

/// Rounded to nearest, ties to even. NaN stays NaN.
inline void store(float x, bfloat16& to) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), rounded = bits + 0x7fff + ((bits >> 16) & 1);
  reinterpret_cast<Bits&>(to) = static_cast<uint16_t>((x != x ? bits | 0x400000 : rounded) >> 16);
}

}  // namespace blocks
