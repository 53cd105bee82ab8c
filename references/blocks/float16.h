// SPDX-License-Identifier: Apache-2.0
// float16 from memory by its bits, in loops that the compiler vectorises. Include kernel.h first.
#pragma once

#include <bit>
#include <cstdint>

namespace blocks {

inline float load(const float16& from) {
  using Bits [[gnu::may_alias]] = uint16_t;
  const uint32_t bits = reinterpret_cast<const Bits&>(from), magnitude = (bits & 0x7fff) << 13;
  const uint32_t finite = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  return std::bit_cast<float>((bits & 0x8000) << 16 | (magnitude < 0x7c00 << 13 ? finite : magnitude | 0x7f800000));
}

}  // namespace blocks
