// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/nearness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "assay/cases/expected.h"
#include "assay/spec/half.h"

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

TEST(Nearness, IsTheSameBitsWhereATaskHasBoundsOfItsOwnAndForIntegers) {
  EXPECT_EQ(nearness(evaluated(), true).most, 0);
  EXPECT_EQ(nearness(evaluated(ElementType::f16), true).most_differing, 0);
  for (const ElementType type : {ElementType::i32, ElementType::boolean}) {
    EXPECT_EQ(nearness(evaluated(type), false).most, 0);
    EXPECT_EQ(nearness(evaluated(type), false).most_differing, 0);
  }
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

/// A thousand float16 numbers 1.5, each free by half a unit in the last place (2^-11) and by `room` units.
ExpectedTensor halves(double room) {
  constexpr std::size_t kCount = 1000;
  const oracle::Elements<double> values(kCount, 1.5), scales(kCount, room * 0x1p-10 / (16 * kUnit)), slack(kCount, 0x1p-11);
  return {"y", ElementType::f16, {kCount}, values, scales, slack, {}, 16, 4};
}

/// `how_many` of them moved by `places` units in the last place.
bool moved_half_is_near(double room, int places, std::size_t how_many) {
  std::vector<std::uint16_t> honest(1000, 0x3e00), moved = honest;
  for (std::size_t i = 0; i < how_many; ++i) moved[i] = static_cast<std::uint16_t>(moved[i] + places);
  return is_near(nearness(halves(room), false), bytes_of(moved), bytes_of(honest));
}

TEST(IsNear, LetsAsManyShortNumbersBeTheNextOnesAsErrorsTakeAcrossAMiddle) {
  EXPECT_TRUE(moved_half_is_near(0.0105, 1, 10));
  EXPECT_TRUE(moved_half_is_near(0.0105, -1, 10));
  EXPECT_FALSE(moved_half_is_near(0.0105, 1, 11));
}

TEST(IsNear, LetsAShortNumberBeOneUnitAndHalfItsRoomAway) {
  EXPECT_FALSE(moved_half_is_near(1.9, 2, 1));
  EXPECT_TRUE(moved_half_is_near(2, 2, 1000)) << "with that much room all may differ";
  EXPECT_FALSE(moved_half_is_near(2, 3, 1));
}

TEST(IsNear, OfShortNumbersThatAreToBeRoundedRightIsTheSameBits) {
  EXPECT_TRUE(moved_half_is_near(0, 1, 0));
  EXPECT_FALSE(moved_half_is_near(0, 1, 1));
}

TEST(IsNear, SaysNothingOfShortNumbersThatAreNanOrInfiniteOnOneSide) {
  const Nearness near = nearness(halves(4), false);
  const std::uint16_t one = 0x3c00, infinity = 0x7c00, nan = 0x7e00;
  for (const std::uint16_t other : {infinity, nan}) {
    EXPECT_FALSE(is_near(near, bytes_of<std::uint16_t>({one, other}), bytes_of<std::uint16_t>({one, one})));
    EXPECT_FALSE(is_near(near, bytes_of<std::uint16_t>({one, one}), bytes_of<std::uint16_t>({one, other})));
  }
  EXPECT_FALSE(is_near(near, bytes_of<std::uint16_t>({one}), bytes_of<std::uint16_t>({one, one})));
}

TEST(IsNear, TakesTheUnitInTheLastPlaceOfEachShortType) {
  for (const auto& [type, one] : {std::pair{ElementType::bf16, 0x3f80}, {ElementType::f8e4m3, 0x38}, {ElementType::f8e5m2, 0x3c}}) {
    const double place = spec::spacing(1, type);
    const oracle::Elements<double> values(10, 1), scales(10, 0.15 * place / (16 * kUnit)), slack(10, place / 2);
    const Nearness near = nearness({"y", type, {10}, values, scales, slack, {}, 16, 4}, false);
    const auto bytes = [&, bits = one, of = type](int moved) {
      std::vector<std::uint16_t> wide(10, static_cast<std::uint16_t>(bits));
      wide[0] = static_cast<std::uint16_t>(bits + moved);
      return spec::size_of(of) == 2 ? bytes_of(wide) : bytes_of(std::vector<std::uint8_t>(wide.begin(), wide.end()));
    };
    EXPECT_TRUE(is_near(near, bytes(1), bytes(0)));
    EXPECT_FALSE(is_near(near, bytes(2), bytes(0)));
  }
}

}  // namespace
}  // namespace assay::cases
