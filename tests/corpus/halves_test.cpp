// SPDX-License-Identifier: Apache-2.0
// references/blocks/bfloat16.h and float16.h, on every pattern, and on what lies between two of them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

// As kernel.h has them where the compiler has none.
struct bfloat16 {
  std::uint16_t bits;
};
struct float16 {
  std::uint16_t bits;
};

#include "blocks/bfloat16.h"
#include "blocks/float16.h"

namespace {

float value_of(bfloat16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16); }

/// IEEE 754's binary16.
double value_of(float16 x) {
  const int exponent = x.bits >> 10 & 31, fraction = x.bits & 1023;
  const double sign = (x.bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  return sign * std::ldexp(exponent == 0 ? fraction : fraction + 1024, std::max(exponent, 1) - 25);
}

std::uint16_t stored(float x) {
  bfloat16 to{};
  blocks::store(x, to);
  return to.bits;
}

TEST(Halves, LoadEveryPattern) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const bfloat16 wide{static_cast<std::uint16_t>(bits)};
    const float16 narrow{static_cast<std::uint16_t>(bits)};
    EXPECT_EQ(std::bit_cast<std::uint32_t>(blocks::load(wide)), std::bit_cast<std::uint32_t>(value_of(wide)));
    const double expected = value_of(narrow);
    const float got = blocks::load(narrow);
    if (std::isnan(expected)) EXPECT_TRUE(std::isnan(got)) << bits;
    else EXPECT_TRUE(got == expected && std::signbit(got) == std::signbit(expected)) << bits << ": " << got << ", expected " << expected;
  }
}

TEST(Halves, StoreTheNearestBfloat16AndOfTwoTheEvenOne) {
  for (int bits = 0; bits < 0x7f80; ++bits)
    for (const int sign : {0, 0x8000}) {
      const auto pattern = static_cast<std::uint16_t>(bits | sign), next = static_cast<std::uint16_t>(pattern + 1);
      const std::uint32_t exact = static_cast<std::uint32_t>(pattern) << 16;
      EXPECT_EQ(stored(std::bit_cast<float>(exact)), pattern);
      EXPECT_EQ(stored(std::bit_cast<float>(exact + 0x7fff)), pattern);
      EXPECT_EQ(stored(std::bit_cast<float>(exact + 0x8000)), pattern % 2 == 0 ? pattern : next);
      EXPECT_EQ(stored(std::bit_cast<float>(exact + 0x8001)), next);
    }
}

TEST(Halves, StoreSpecialValues) {
  EXPECT_EQ(stored(std::numeric_limits<float>::infinity()), 0x7f80);
  EXPECT_EQ(stored(-std::numeric_limits<float>::infinity()), 0xff80);
  for (const std::uint32_t bits : {0x7f800001u, 0x7fffffffu, 0xff800001u, 0xffc00000u})
    EXPECT_TRUE(std::isnan(value_of(bfloat16{stored(std::bit_cast<float>(bits))}))) << bits;
}

}  // namespace
