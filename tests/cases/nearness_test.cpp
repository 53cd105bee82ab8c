// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/nearness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace assay::cases {
namespace {

using spec::ElementType;

constexpr double kUnit = 0x1p-24;

template <class T>
Bytes bytes_of(const std::vector<T>& numbers) {
  Bytes bytes(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// Of two elements, whose scales are 1.
ExpectedTensor evaluated(ElementType type = ElementType::f32) { return {"y", type, {2}, {1, 3}, {1, 1}, {}, {}, 16, 4}; }

TEST(Nearness, IsHalfOfTheBounds) {
  const Nearness near = nearness(evaluated(), false);
  EXPECT_EQ(near.scale, 1);
  EXPECT_EQ(near.relative_scale, 1.0 / 3);
  EXPECT_EQ(near.most, 8);
  EXPECT_EQ(near.most_rms, 2);
}

TEST(Nearness, IsTheSameBitsWhereATaskHasBoundsOfItsOwnAndForOtherTypes) {
  EXPECT_EQ(nearness(evaluated(), true).most, 0);
  for (const ElementType type : {ElementType::f16, ElementType::bf16, ElementType::i32, ElementType::boolean})
    EXPECT_EQ(nearness(evaluated(type), false).most, 0);
  EXPECT_EQ(nearness(evaluated(ElementType::f64), false).most, 8);
}

TEST(Nearness, KnowsNoScaleWhereOneIsUnknown) {
  ExpectedTensor unknown = evaluated();
  unknown.scales = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  EXPECT_EQ(nearness(unknown, false).scale, 0);
  EXPECT_EQ(nearness(unknown, false).relative_scale, 0);
}

TEST(Nearness, TakesTheScaleThatHalfTheElementsReach) {
  ExpectedTensor many = evaluated();
  many.scales.clear();
  for (int i = 40; i-- > 0;) many.scales.push_back(i);
  many.values.assign(40, -2);
  EXPECT_EQ(nearness(many, false).scale, 20);
  EXPECT_EQ(nearness(many, false).relative_scale, 2);
}

TEST(Nearness, OfCopiesIsTheSameNumbers) {
  ExpectedTensor copies = evaluated();
  copies.scales = {0, 0};
  const Nearness near = nearness(copies, false);
  EXPECT_TRUE(is_near(near, bytes_of<float>({1, 0.0F}), bytes_of<float>({1, -0.0F})));
  EXPECT_FALSE(is_near(near, bytes_of<float>({1 + 0x1p-23F, 0}), bytes_of<float>({1, 0})));
}

/// Of a hundred numbers 1, the first moved by `units` of u.
bool moved_is_near(double units, std::size_t how_many = 1) {
  const Nearness near = nearness(evaluated(ElementType::f64), false);
  std::vector<double> honest(100, 1), moved = honest;
  for (std::size_t i = 0; i < how_many; ++i) moved[i] += units * 0x1p-53;
  return is_near(near, bytes_of(moved), bytes_of(honest));
}

TEST(IsNear, GoesByTheLargestError) {
  EXPECT_TRUE(moved_is_near(8));
  EXPECT_FALSE(moved_is_near(10));
}

TEST(IsNear, GoesByTheRootMeanSquare) {
  EXPECT_TRUE(moved_is_near(6, 11)) << "396 of at most 400";
  EXPECT_FALSE(moved_is_near(6, 12));
}

TEST(IsNear, SaysNothingOfNanInfinityAndOtherSizes) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const Nearness near = nearness(evaluated(), false);
  EXPECT_TRUE(is_near(near, bytes_of<float>({1, nan}), bytes_of<float>({1, nan}))) << "the same bits";
  EXPECT_FALSE(is_near(near, bytes_of<float>({1, nan}), bytes_of<float>({1, -nan})));
  EXPECT_FALSE(is_near(near, bytes_of<float>({1, nan}), bytes_of<float>({1, 1})));
  EXPECT_FALSE(is_near(near, bytes_of<float>({1, 1}), bytes_of<float>({1, nan})));
  EXPECT_FALSE(is_near(near, bytes_of<float>({infinity, 1}), bytes_of<float>({1, 1})));
  EXPECT_FALSE(is_near(near, bytes_of<float>({infinity, 2}), bytes_of<float>({infinity, 2 + 0x1p-22F})));
  EXPECT_FALSE(is_near(near, bytes_of<float>({1}), bytes_of<float>({1, 1})));
}

TEST(IsNear, ImpliesWhatTheComparatorAccepts) {
  // The witness a quarter of the bound off, the outputs half of it more.
  const ExpectedTensor right{"y", ElementType::f32, {1}, {1}, {1}, {}, {}, 16, 16};
  const PreparedCase expected{"case", {}, {}, {}, {right}, 0, 0};
  const Nearness near = nearness(right, false);
  int near_ones = 0;
  for (int step = 0; step < 16; ++step) {
    const float witness = 1 + 2 * kUnit * 2, got = static_cast<float>(witness + step * 2 * kUnit);
    if (!is_near(near, bytes_of<float>({got}), bytes_of<float>({witness}))) continue;
    ++near_ones;
    EXPECT_TRUE(compare(expected, {bytes_of<float>({got})}).accepted) << step;
  }
  EXPECT_EQ(near_ones, 5) << "8 units are four steps";
}

}  // namespace
}  // namespace assay::cases
