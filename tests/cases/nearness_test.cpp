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

TEST(Nearness, IsAsPreciseAsTheBounds) {
  ExpectedTensor odd = evaluated();
  odd.scales = {1.1, 1.1}, odd.max_bound = 16.2, odd.rms_bound = 4.1;
  const Nearness near = nearness(odd, false);
  EXPECT_EQ(near.scale, 1.1);
  EXPECT_EQ(near.relative_scale, 1.1 / 3);
  EXPECT_EQ(near.most, 8.1);
  EXPECT_EQ(near.most_rms, 2.05);
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

TEST(Nearness, TakesTheScaleThatHalfOfManyElementsReach) {
  ExpectedTensor many = evaluated();
  many.scales.clear();
  for (int i = 0; i < 1000; ++i) many.scales.push_back((i * 7) % 1000 + 0.1);
  many.values.assign(1000, 2);
  EXPECT_EQ(nearness(many, false).scale, 500.1);
  EXPECT_EQ(nearness(many, false).relative_scale, 100.1 / 2);
}

TEST(Nearness, TakesTheRelativeScaleOfWhatIsNotZero) {
  ExpectedTensor some = evaluated();
  some.values = {1, 0, 1, 0}, some.scales = {3, 100, 5, 100};
  EXPECT_EQ(nearness(some, false).relative_scale, 3);
  some.values = {0, 0, 0, 0};
  EXPECT_EQ(nearness(some, false).relative_scale, 0);
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

/// Of one number: the outputs have `got`, the witness has `honest`.
template <class T>
bool one_is_near(const Nearness& near, T got, T honest) {
  return is_near(near, bytes_of<T>({got}), bytes_of<T>({honest}));
}

TEST(IsNear, AcceptsNothingButTheSameBitsWhereNothingElseIsNear) {
  const Nearness strict = nearness(evaluated(), true), whole = nearness(evaluated(ElementType::i32), false);
  EXPECT_TRUE(one_is_near(strict, 1.0F, 1.0F));
  EXPECT_FALSE(one_is_near(strict, 1 + 0x1p-23F, 1.0F));
  EXPECT_FALSE(one_is_near(strict, 0.0F, -0.0F));
  EXPECT_FALSE(one_is_near<std::int32_t>(whole, 1, 2));
  EXPECT_FALSE(one_is_near<std::uint16_t>(nearness(evaluated(ElementType::f16), true), 0x3c01, 0x3c00));
}

TEST(IsNear, GoesByThousandths) {
  const Nearness largest{ElementType::f64, 1 / 1.0001, 0, 8, 100, 0}, rms{ElementType::f64, 1 / 1.0001, 0, 100, 6, 0};
  EXPECT_TRUE(one_is_near(largest, 1 + 6 * 0x1p-53, 1.0));
  EXPECT_FALSE(one_is_near(largest, 1 + 8 * 0x1p-53, 1.0));
  EXPECT_TRUE(one_is_near(rms, 1 + 4 * 0x1p-53, 1.0));
  EXPECT_FALSE(one_is_near(rms, 1 + 6 * 0x1p-53, 1.0));
}

TEST(IsNear, LetsSubnormalNumbersBeFlushed) {
  const Nearness tiny{ElementType::f32, 0x1p-102, 0, 8, 8, 0};
  EXPECT_TRUE(one_is_near(tiny, 0x1p-122F, 0.0F)) << "eight units of 2^-126 + 2^-126";
  EXPECT_FALSE(one_is_near(tiny, 0x1.2p-122F, 0.0F));
}

TEST(IsNear, AcceptsWhatIsJustAtTheRootMeanSquare) {
  EXPECT_TRUE(one_is_near(Nearness{ElementType::f64, 1, 0, 100, 6, 0}, 1 + 6 * 0x1p-53, 1.0));
  EXPECT_FALSE(one_is_near(Nearness{ElementType::f64, 1, 0, 100, 5, 0}, 1 + 6 * 0x1p-53, 1.0)) << "one element's is its error";
}

TEST(IsNear, MeasuresByTheWitness) {
  const Nearness wide{ElementType::f64, 0, 1, 0.3 * 0x1p53, 0x1p60, 0}, narrow{ElementType::f32, 0, 1, 0.3 * 0x1p24, 0x1p60, 0};
  EXPECT_TRUE(one_is_near(wide, 1.0, 1.35));
  EXPECT_FALSE(one_is_near(wide, 1.35, 1.0));
  EXPECT_TRUE(one_is_near(narrow, 1.0F, 1.35F));
  EXPECT_FALSE(one_is_near(narrow, 1.35F, 1.0F));
  const Nearness half{ElementType::f16, 0, 0, 0, 0, 1}, quarter{ElementType::f8e4m3, 0, 0, 0, 0, 1};
  EXPECT_TRUE(one_is_near<std::uint16_t>(half, 0x3bfe, 0x3c00)) << "below 1 the units are half as large";
  EXPECT_FALSE(one_is_near<std::uint16_t>(half, 0x3c00, 0x3bfe));
  EXPECT_TRUE(one_is_near<std::uint8_t>(quarter, 0x36, 0x38));
  EXPECT_FALSE(one_is_near<std::uint8_t>(quarter, 0x38, 0x36));
}

TEST(IsNear, LetsAShortNumberBeOneUnitAndTheLargerOfBothScalesAway) {
  constexpr double kPlace = 0x1p-10;
  EXPECT_TRUE(one_is_near<std::uint16_t>({ElementType::f16, kPlace, 0, 0, 0, 1}, 0x3c02, 0x3c00));
  EXPECT_TRUE(one_is_near<std::uint16_t>({ElementType::f16, 0, kPlace, 0, 0, 1}, 0x3c02, 0x3c00));
  EXPECT_FALSE(one_is_near<std::uint16_t>({ElementType::f16, kPlace * (1 - 0x1p-13), 0, 0, 0, 1}, 0x3c02, 0x3c00));
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

TEST(Nearness, OfShortNumbersIsHalfOfTheirRoomAndAShareOfThem) {
  const Nearness near = nearness(halves(0.0105), false);
  EXPECT_NEAR(near.most_differing, 0.0105, 1e-12);
  EXPECT_NEAR(near.scale, 0.0105 * 0x1p-10 / 2, 1e-15);
  EXPECT_NEAR(near.relative_scale, 0.0105 * 0x1p-10 / 1.5 / 2, 1e-15);
  EXPECT_EQ(nearness(halves(4), false).most_differing, 1) << "each of them may differ, none twice";
  const ExpectedTensor one{"y", ElementType::f16, {1}, {1.5}, {0}, {0.75 * 0x1p-10}, {}, 16, 4};
  EXPECT_EQ(nearness(one, false).most_differing, 0.25);
}

TEST(Nearness, OfShortNumbersKnowsTheUnitOfEach) {
  // Half a unit of their own, and a quarter more.
  const ExpectedTensor two{
      "y", ElementType::f16, {4}, {1.5, 3, 1.5, 3}, {0, 0, 0, 0}, {0.75 * 0x1p-10, 0.75 * 0x1p-9, 0.75 * 0x1p-10, 0.75 * 0x1p-9}, {}, 16,
      4};
  EXPECT_EQ(nearness(two, false).most_differing, 0.25);
  EXPECT_EQ(nearness(two, false).scale, 0x1p-11 / 2);
}

/// After a cast most numbers have no room. Of 1,005 small ones the k-th has 3 + k / 101 units, of ten others exactly two.
TEST(Nearness, OfACastIsWhatNineOfTenSmallNumbersAllow) {
  constexpr double kSmall = 0x1p-8, kPlace = 0x1p-18, kLarge = 1.5, kLargePlace = 0x1p-10;
  ExpectedTensor cast{"y", ElementType::f16, {}, {}, {}, {}, {}, 16, 4};
  const auto add = [&](double value, double place, double units) {
    cast.values.push_back(value);
    cast.scales.push_back(0);
    cast.slack.push_back(place / 2 + units * place);
  };
  const auto units = [](int k) { return 3 + k / 101.0; };
  for (int k = 0; k < 1004; ++k) {
    add(kSmall, kPlace, units(k == 0 ? 0 : 1005 - k));
    add(kLarge, kLargePlace, 0);
  }
  for (int k = 0; k < 10; ++k) add(kSmall, kPlace, 2);
  for (int k = 0; k < 500; ++k) add(kLarge, kLargePlace, 0);
  add(kSmall, kPlace, units(1));
  cast.shape = {static_cast<std::int64_t>(cast.values.size())};
  EXPECT_DOUBLE_EQ(nearness(cast, false).scale, units(100) * kPlace / 2);
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
