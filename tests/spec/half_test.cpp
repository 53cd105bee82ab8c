// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

namespace assay::spec {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Half, EveryPatternComesBack) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    if (!std::isnan(double_from_f16(pattern))) {
      ASSERT_EQ(f16_from_double(double_from_f16(pattern)), pattern);
    }
    if (!std::isnan(double_from_bf16(pattern))) {
      ASSERT_EQ(bf16_from_double(double_from_bf16(pattern)), pattern);
    }
  }
}

TEST(Half, BitsOfANumberAreThoseOfTheNearest) {
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    const auto [precision, least, largest] = type == ElementType::f16 ? std::tuple{11, -14, 0x1.ffcp15} : std::tuple{8, -126, 0x1.fep127};
    std::uint64_t state = 1;
    for (int i = 0; i < 100000; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const int exponent = static_cast<int>(state >> 56 & 0xff) % 60 + least - 30;
      const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(state << 8)), exponent - 62),
                   nearest = rounded_to(x, precision, least);
      const double wanted = std::abs(nearest) > largest ? std::copysign(kInfinite, x) : nearest;
      ASSERT_EQ(double_from_bits(bits_from_double(x, type), type), wanted) << x;
      ASSERT_EQ(stored_as(x, type), wanted) << x;
    }
    for (const double tiny : {0.0, 0x1p-1074, 0x1p-1022, 0x1p-200}) EXPECT_EQ(bits_from_double(-tiny, type), 0x8000) << tiny;
  }
}

TEST(Half, NanStaysNan) {
  EXPECT_TRUE(std::isnan(double_from_f16(f16_from_double(std::nan("")))));
  EXPECT_TRUE(std::isnan(double_from_bf16(bf16_from_double(std::nan("")))));
}

TEST(Half, RoundsTiesToEven) {
  EXPECT_EQ(stored_as(2049, ElementType::f16), 2048);  // between 2048 and 2050
  EXPECT_EQ(stored_as(2051, ElementType::f16), 2052);
  EXPECT_EQ(stored_as(2049.0001, ElementType::f16), 2050);
  EXPECT_EQ(stored_as(257, ElementType::bf16), 256);
  EXPECT_EQ(stored_as(259, ElementType::bf16), 260);
}

TEST(Half, RoundsOnceFromDouble) {
  // Through float32 it would become the tie 2049 first, and then 2048.
  EXPECT_EQ(stored_as(2049 + 0x1p-30, ElementType::f16), 2050);
}

TEST(Half, OverflowsFromHalfASpacingOn) {
  EXPECT_EQ(stored_as(65519.999, ElementType::f16), 65504);
  EXPECT_EQ(stored_as(65520, ElementType::f16), kInfinite);
  EXPECT_EQ(stored_as(-1e300, ElementType::f16), -kInfinite);
  EXPECT_EQ(stored_as(3.4e38, ElementType::bf16), kInfinite);
  EXPECT_EQ(stored_as(-1e300, ElementType::f32), -kInfinite);
}

TEST(Half, UnderflowsGradually) {
  EXPECT_EQ(stored_as(0x1p-24, ElementType::f16), 0x1p-24);
  EXPECT_EQ(stored_as(0x1.8p-24, ElementType::f16), 0x1p-23);  // a tie between one and two quanta
  EXPECT_EQ(stored_as(0x1p-25, ElementType::f16), 0);
  EXPECT_TRUE(std::signbit(stored_as(-0x1p-30, ElementType::f16)));
}

TEST(Half, SpacingIsTheDistanceToTheNextNumber) {
  EXPECT_EQ(spacing(1, ElementType::f16), 0x1p-10);
  EXPECT_EQ(spacing(-1.5, ElementType::bf16), 0x1p-7);
  EXPECT_EQ(spacing(0, ElementType::f16), 0x1p-24);
  EXPECT_EQ(spacing(1, ElementType::f32), 0x1p-23);
}

TEST(Half, RoundedToTensorFloat32KeepsElevenBits) {
  EXPECT_EQ(rounded_to(4095, 11, -126), 4096);
  EXPECT_EQ(rounded_to(2047, 11, -126), 2047);
  EXPECT_EQ(rounded_to(-kInfinite, 11, -126), -kInfinite);
}

}  // namespace
}  // namespace assay::spec
