// SPDX-License-Identifier: Apache-2.0
// The comparator must accept what is right and reject each way of being wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "assay/judge/expected.h"
#include "assay/spec/half.h"

namespace assay {
namespace {

using testing::HasSubstr;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Bytes bytes_of(const std::vector<float>& values) {
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// One output of 10 x 100 ones, scale 1, bound 16.
PreparedCase thousand_ones() {
  ExpectedTensor tensor{"y", ElementType::f32, {10, 100}, std::vector<double>(1000, 1.0), std::vector<double>(1000, 1.0), {}, {}, 16, 4};
  return {"case", {}, {}, {}, {tensor}, 0};
}

Comparison compare_with(const PreparedCase& expected, const std::vector<float>& got) { return compare(expected, {bytes_of(got)}); }

TEST(Compare, AcceptsTheOracleItself) {
  const Comparison result = compare_with(thousand_ones(), std::vector<float>(1000, 1.0f));
  EXPECT_TRUE(result.accepted);
  EXPECT_EQ(result.scaled, 0);
}

TEST(Compare, AcceptsARoundingError) {
  std::vector<float> got(1000, 1.0f);
  got[5] = 1.0f + 0x1p-23f;  // two units of u
  const Comparison result = compare_with(thousand_ones(), got);
  EXPECT_TRUE(result.accepted);
  EXPECT_NEAR(result.scaled, 2, 1e-6);
  EXPECT_THAT(result.where, "case: y[0, 5]");
}

TEST(Compare, RejectsEveryElementThatIsOff) {
  for (std::size_t i = 0; i < 1000; ++i) {
    std::vector<float> got(1000, 1.0f);
    got[i] = 1.0f + 0x1p-19f;  // 32 units
    ASSERT_FALSE(compare_with(thousand_ones(), got).accepted) << i;
  }
}

TEST(Compare, RejectsNanAndInfinity) {
  for (const float wrong : {kNan, kInf, -kInf}) {
    std::vector<float> got(1000, 1.0f);
    got[999] = wrong;
    const Comparison result = compare_with(thousand_ones(), got);
    EXPECT_FALSE(result.accepted);
    EXPECT_THAT(result.detail, HasSubstr("y[9, 99]"));
    EXPECT_TRUE(std::isinf(result.max_abs));
  }
}

TEST(Compare, RejectsAllNan) { EXPECT_FALSE(compare_with(thousand_ones(), std::vector<float>(1000, kNan)).accepted); }

TEST(Compare, RejectsSmallErrorsEverywhere) {
  // 8 units each: within the largest error, beyond the root mean square of 4.
  EXPECT_THAT(compare_with(thousand_ones(), std::vector<float>(1000, 1.0f + 0x1p-21f)).detail, HasSubstr("root-mean-square"));
}

TEST(Compare, WantsNanAndInfinityWhereTheyBelong) {
  PreparedCase expected = thousand_ones();
  expected.outputs[0].values[0] = std::nan("");
  expected.outputs[0].values[1] = HUGE_VAL;
  std::vector<float> got(1000, 1.0f);
  got[0] = kNan, got[1] = kInf;
  EXPECT_TRUE(compare_with(expected, got).accepted);
  got[1] = -kInf;
  EXPECT_FALSE(compare_with(expected, got).accepted);
  got[1] = kInf, got[0] = 0;
  EXPECT_FALSE(compare_with(expected, got).accepted);
}

TEST(Compare, LeavesUnjudgedElementsOut) {
  PreparedCase expected = thousand_ones();
  expected.outputs[0].scales[7] = HUGE_VAL;
  std::vector<float> got(1000, 1.0f);
  got[7] = kInf;
  EXPECT_TRUE(compare_with(expected, got).accepted);
}

TEST(Compare, MeasuresAgainstTheScaleNotTheValue) {
  PreparedCase expected = thousand_ones();
  expected.outputs[0].values[3] = 1e-6;  // a sum that cancelled: its scale is still 1
  std::vector<float> got(1000, 1.0f);
  got[3] = 1e-6f + 2e-7f;
  EXPECT_TRUE(compare_with(expected, got).accepted);
  expected.outputs[0].scales[3] = 1e-6;
  EXPECT_FALSE(compare_with(expected, got).accepted);
}

TEST(Compare, WantsIntegersExactly) {
  const ExpectedTensor tensor{"i", ElementType::i64, {3}, {}, {}, {}, {5, -1, 1LL << 60}, 0, 0};
  const PreparedCase expected{"case", {}, {}, {}, {tensor}, 0};
  std::int64_t got[3] = {5, -1, 1LL << 60};
  Bytes bytes(sizeof got);
  std::memcpy(bytes.data(), got, sizeof got);
  EXPECT_TRUE(compare(expected, {bytes}).accepted);
  ++got[2];
  std::memcpy(bytes.data(), got, sizeof got);
  const Comparison result = compare(expected, {bytes});
  EXPECT_FALSE(result.accepted);
  EXPECT_THAT(result.detail, HasSubstr("1 of 3 elements differ"));
}

TEST(Compare, ForgivesIntegersWhatErrorsLeaveOpen) {
  const double any = std::numeric_limits<double>::infinity();
  const ExpectedTensor tensor{"i", ElementType::i32, {3}, {}, {}, {0, 1, any}, {5, 5, 5}, 0, 0};
  const auto accepted = [&](std::vector<std::int32_t> got) {
    Bytes bytes(got.size() * sizeof(std::int32_t));
    std::memcpy(bytes.data(), got.data(), bytes.size());
    return compare({"case", {}, {}, {}, {tensor}, 0}, {bytes}).accepted;
  };
  EXPECT_TRUE(accepted({5, 6, -900}));
  EXPECT_FALSE(accepted({6, 5, 5}));
  EXPECT_FALSE(accepted({5, 7, 5}));
}

TEST(Compare, WantsBooleansToBeZeroOrOne) {
  const ExpectedTensor tensor{"b", ElementType::boolean, {2}, {}, {}, {}, {1, 0}, 0, 0};
  const PreparedCase expected{"case", {}, {}, {}, {tensor}, 0};
  EXPECT_TRUE(compare(expected, {{std::byte{1}, std::byte{0}}}).accepted);
  EXPECT_FALSE(compare(expected, {{std::byte{0xff}, std::byte{0}}}).accepted);
}

/// One bfloat16 output around 1, a unit in its last place free.
PreparedCase bfloat16_ones() {
  ExpectedTensor tensor{"y", ElementType::bf16, {4}, std::vector<double>(4, 1.0), std::vector<double>(4, 1.0), std::vector<double>(4, 0x1p-7), {}, 16, 4};
  return {"case", {}, {}, {}, {tensor}, 0};
}

Bytes bfloat16_bytes(const std::vector<double>& values) {
  Bytes bytes;
  for (const double x : values) {
    const std::uint16_t bits = bf16_from_double(x);
    bytes.push_back(static_cast<std::byte>(bits & 0xff));
    bytes.push_back(static_cast<std::byte>(bits >> 8));
  }
  return bytes;
}

TEST(Compare, ForgivesABfloat16OneUnitInTheLastPlaceAndNoMore) {
  EXPECT_TRUE(compare(bfloat16_ones(), {bfloat16_bytes({1, 1 + 0x1p-7, 1 - 0x1p-8, 1})}).accepted);
  EXPECT_FALSE(compare(bfloat16_ones(), {bfloat16_bytes({1, 1 + 0x1p-6, 1, 1})}).accepted);
  EXPECT_FALSE(compare(bfloat16_ones(), {bfloat16_bytes({1, 1, 1, std::nan("")})}).accepted);
}

TEST(Compare, WantsTheSameNumbersWhereTheBoundIsZero) {
  PreparedCase expected = thousand_ones();
  expected.outputs[0].max_bound = expected.outputs[0].rms_bound = 0;
  std::vector<float> got(1000, 1.0f);
  EXPECT_TRUE(compare_with(expected, got).accepted);
  got[999] = std::nextafter(1.0f, 2.0f);
  const Comparison result = compare_with(expected, got);
  EXPECT_FALSE(result.accepted);
  EXPECT_THAT(result.where, "case: y[9, 99]");
}

TEST(Compare, MeasuresDoublesInTheirOwnUnits) {
  ExpectedTensor tensor{"y", ElementType::f64, {1}, {1.0}, {1.0}, {}, {}, 16, 16};
  const PreparedCase expected{"case", {}, {}, {}, {tensor}, 0};
  const auto compared = [&](double y) {
    Bytes bytes(sizeof y);
    std::memcpy(bytes.data(), &y, sizeof y);
    return compare(expected, {bytes}).accepted;
  };
  EXPECT_TRUE(compared(1 + 0x1p-50));
  EXPECT_FALSE(compared(1 + 0x1p-40));  // what float32 would leave is far beyond
}

}  // namespace
}  // namespace assay
