// SPDX-License-Identifier: Apache-2.0
// The comparator must accept what is right and reject each way of being wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "assay/cases/expected.h"
#include "assay/spec/half.h"

namespace assay::cases {
namespace {

using oracle::Elements;
using spec::ElementType;
using testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Bytes bytes_of(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// One output of 10 x 100 ones, scale 1, bound 16.
PreparedCase thousand_ones() {
  ExpectedTensor tensor{"y", ElementType::f32, {10, 100}, Elements<double>(1000, 1.0), Elements<double>(1000, 1.0), {}, {}, 16, 4};
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
  ExpectedTensor tensor{
      "y", ElementType::bf16, {4}, Elements<double>(4, 1.0), Elements<double>(4, 1.0), Elements<double>(4, 0x1p-7), {}, 16, 4};
  return {"case", {}, {}, {}, {tensor}, 0};
}

Bytes bfloat16_bytes(const Elements<double>& values) {
  Bytes bytes;
  for (const double x : values) {
    const std::uint16_t bits = spec::bf16_from_double(x);
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

/// One element of value 1 and scale 1, in a row of `count`.
PreparedCase ones(std::int64_t count) {
  const auto n = static_cast<std::size_t>(count);
  ExpectedTensor tensor{"y", ElementType::f32, {count}, Elements<double>(n, 1.0), Elements<double>(n, 1.0), {}, {}, 16, 16};
  return {"case", {}, {}, {}, {tensor}, 0};
}

TEST(Compare, AcceptsAtTheBoundAndRejectsAUnitInTheLastPlaceBeyond) {
  const float above = 1 + 0x1p-20f, below = 1 - 0x1p-20f;  // 16 units of 2^-24
  EXPECT_TRUE(compare_with(ones(1), {above}).accepted);
  EXPECT_TRUE(compare_with(ones(1), {below}).accepted);
  EXPECT_EQ(compare_with(ones(1), {above}).scaled, 16);
  EXPECT_FALSE(compare_with(ones(1), {std::nextafter(above, 2.0f)}).accepted);
  EXPECT_FALSE(compare_with(ones(1), {std::nextafter(below, 0.0f)}).accepted);
}

TEST(Compare, AcceptsARootMeanSquareAtItsBoundAndNoMore) {
  PreparedCase expected = ones(4);
  expected.outputs[0].rms_bound = 4;
  const float off = 1 + 0x1p-22f;  // 4 units
  EXPECT_TRUE(compare_with(expected, {off, off, off, off}).accepted);
  EXPECT_TRUE(compare_with(expected, {1 + 0x1p-21f, 1, 1, 1}).accepted) << "8 units once in four: 4";
  PreparedCase single = ones(1);
  single.outputs[0].rms_bound = 3;
  EXPECT_FALSE(compare_with(single, {off}).accepted);
  const Comparison result = compare_with(expected, {off, off, off, std::nextafter(off, 2.0f)});
  EXPECT_FALSE(result.accepted);
  EXPECT_EQ(result.detail, "case: root-mean-square error of 'y' is 4.58, bound 4 units of u*scale: less precise than float32");
}

TEST(Compare, DoesNotLookAtANansPayloadOrSign) {
  PreparedCase expected = ones(1);
  expected.outputs[0].values[0] = std::nan("");
  for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x7fffffffu}) {
    Bytes bytes(sizeof bits);
    std::memcpy(bytes.data(), &bits, sizeof bits);
    EXPECT_TRUE(compare(expected, {bytes}).accepted) << bits;
    EXPECT_FALSE(compare(ones(1), {bytes}).accepted) << bits;
  }
}

TEST(Compare, WantsInfinityOfTheRightSignAndNothingLarge) {
  for (const float infinity : {kInf, -kInf}) {
    PreparedCase expected = ones(1);
    expected.outputs[0].values[0] = static_cast<double>(infinity);
    EXPECT_TRUE(compare_with(expected, {infinity}).accepted);
    for (const float wrong : {-infinity, kNan, std::copysign(std::numeric_limits<float>::max(), infinity), 0.0f})
      EXPECT_FALSE(compare_with(expected, {wrong}).accepted) << wrong;
  }
}

TEST(Compare, TakesZerosOfBothSignsForOne) {
  PreparedCase expected = ones(2);
  expected.outputs[0].values = {0.0, -0.0};
  expected.outputs[0].max_bound = expected.outputs[0].rms_bound = 0;
  EXPECT_TRUE(compare_with(expected, {-0.0f, 0.0f}).accepted);
  EXPECT_FALSE(compare_with(expected, {0.0f, std::numeric_limits<float>::denorm_min()}).accepted);
}

TEST(Compare, CannotBeToldAnotherNumberOfElements) {
  EXPECT_THROW(compare_with(ones(3), {1, 1}), std::logic_error);
  EXPECT_THROW(compare_with(ones(3), {1, 1, 1, 1}), std::logic_error);
  EXPECT_THROW(compare(ones(3), {}), std::exception);
}

TEST(Compare, AcceptsAnOutputWithoutElements) {
  const Comparison result = compare_with(ones(0), {});
  EXPECT_TRUE(result.accepted);
  EXPECT_EQ(result.where, "");
  const ExpectedTensor none{"i", ElementType::i32, {4, 0}, {}, {}, {}, {}, 0, 0};
  EXPECT_TRUE(compare({"case", {}, {}, {}, {none}, 0}, {{}}).accepted);
}

TEST(Compare, SaysWhatAndWhereAndHowMuch) {
  std::vector<float> got(1000, 1.0f);
  got[205] = 1.5f, got[999] = kNan;
  const Comparison result = compare_with(thousand_ones(), got);
  EXPECT_EQ(result.detail, "case: y[2, 5]: got 1.5, expected 1 (error 8.39e+06, bound 16 units of u*scale); 2 of 1000 elements are wrong");
  EXPECT_EQ(result.where, "case: y[2, 5]");
  EXPECT_EQ(result.bound, 16);
}

TEST(Compare, RemembersTheLargestErrors) {
  PreparedCase expected = ones(4);
  expected.outputs[0].values = {2, -4, 0, 1};
  expected.outputs[0].scales = {1, 1, 1, 1};
  const Comparison result = compare_with(expected, {2 + 0x1p-22f, -4 - 0x1p-21f, 0x1p-22f, 1 - 0x1p-23f});
  EXPECT_TRUE(result.accepted);
  EXPECT_EQ(result.max_abs, 0x1p-21);
  EXPECT_EQ(result.max_rel, 0x1p-23);  // 2^-22 / 2; the zero has none
  EXPECT_EQ(result.scaled, 8);
  EXPECT_EQ(result.where, "case: y[1]");
}

TEST(Compare, TakesTheSecondLargestRelativeErrorForNoOther) {
  PreparedCase expected = ones(3);
  expected.outputs[0].values = {1, -1, 0.5};
  const Comparison result = compare_with(expected, {1 + 0x1p-23f, -1 - 0x1p-22f, 0.5f + 0x1p-24f});
  EXPECT_EQ(result.max_rel, 0x1p-22);
  EXPECT_EQ(result.max_abs, 0x1p-22);
}

TEST(Compare, JudgesElementsOnBothSidesOfAChunk) {
  PreparedCase expected = ones(3000);
  expected.outputs[0].slack.assign(3000, 0);
  for (const std::size_t i : {0u, 1u, 1022u, 1023u, 1024u, 1025u, 2047u, 2048u, 2999u}) {
    std::vector<float> got(3000, 1.0f);
    got[i] = 1.5f;
    const Comparison wrong = compare_with(expected, got);
    EXPECT_FALSE(wrong.accepted) << i;
    EXPECT_EQ(wrong.where, "case: y[" + std::to_string(i) + "]");
    PreparedCase loose = expected;
    loose.outputs[0].slack[i] = 0.5;
    EXPECT_TRUE(compare_with(loose, got).accepted) << i;
    PreparedCase scaled = expected;
    scaled.outputs[0].scales[i] = 0x1p20;
    EXPECT_TRUE(compare_with(scaled, got).accepted) << i;
    PreparedCase other = expected;
    other.outputs[0].values[i] = 1.5;
    EXPECT_TRUE(compare_with(other, got).accepted) << i;
  }
}

TEST(Compare, MeasuresSlackToTheLastDigit) {
  PreparedCase expected = ones(1);
  expected.outputs[0].slack = {0.25};
  expected.outputs[0].max_bound = expected.outputs[0].rms_bound = 0;
  EXPECT_TRUE(compare_with(expected, {1.25f}).accepted);
  EXPECT_TRUE(compare_with(expected, {0.75f}).accepted);
  EXPECT_FALSE(compare_with(expected, {std::nextafter(1.25f, 2.0f)}).accepted);
  expected.outputs[0].max_bound = expected.outputs[0].rms_bound = 4;
  EXPECT_TRUE(compare_with(expected, {1.25f + 0x1p-22f}).accepted) << "the bound comes on top";
  EXPECT_EQ(compare_with(expected, {1.25f + 0x1p-22f}).scaled, 4);
}

TEST(Compare, ErrorsOfUnjudgedElementsCountForNothing) {
  PreparedCase expected = thousand_ones();
  expected.outputs[0].scales[7] = HUGE_VAL;
  std::vector<float> got(1000, 1.0f);
  got[7] = 5;
  const Comparison result = compare_with(expected, got);
  EXPECT_EQ(result.max_abs, 0);
  EXPECT_EQ(result.scaled, 0);
}

/// Two outputs of one element each; the second is judged by `bound`.
PreparedCase two_outputs(double bound) {
  PreparedCase expected = ones(1);
  expected.outputs.push_back(expected.outputs[0]);
  expected.outputs[1].name = "z";
  expected.outputs[1].max_bound = expected.outputs[1].rms_bound = bound;
  return expected;
}

TEST(Compare, ReportsTheOutputThatIsNearestToItsBound) {
  const Bytes four = bytes_of({1 + 0x1p-22f}), eight = bytes_of({1 + 0x1p-21f}), right = bytes_of({1});
  EXPECT_EQ(compare(two_outputs(32), {four, eight}).where, "case: y[0]") << "4/16 and 8/32 are equal: the first";
  EXPECT_EQ(compare(two_outputs(31), {four, eight}).where, "case: z[0]");
  EXPECT_EQ(compare(two_outputs(31), {four, eight}).scaled, 8);
  EXPECT_EQ(compare(two_outputs(31), {four, eight}).bound, 31);
  EXPECT_EQ(compare(two_outputs(0), {four, right}).where, "case: y[0]");
  EXPECT_EQ(compare(two_outputs(0), {right, right}).where, "case: y[0]");
}

TEST(Compare, RejectsForOneOutputOfTwoAndExplainsTheFirst) {
  const Bytes right = bytes_of({1}), wrong = bytes_of({2}), worse = bytes_of({3});
  for (const auto& [outputs, where] : std::vector<std::pair<std::vector<Bytes>, std::string>>{
           {{wrong, right}, "case: y[0]"}, {{right, wrong}, "case: z[0]"}, {{wrong, worse}, "case: y[0]"}}) {
    const Comparison result = compare(two_outputs(16), outputs);
    EXPECT_FALSE(result.accepted);
    EXPECT_EQ(result.where, where);
    EXPECT_THAT(result.detail, HasSubstr(where + ": got "));
  }
  EXPECT_EQ(compare(two_outputs(16), {wrong, worse}).max_abs, 2);
}

template <class T>
Bytes stored(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

PreparedCase integers(ElementType type, const Elements<std::int64_t>& values) {
  const ExpectedTensor tensor{"i", type, {static_cast<std::int64_t>(values.size())}, {}, {}, {}, values, 0, 0};
  return {"case", {}, {}, {}, {tensor}, 0};
}

template <class T>
void expect_no_wrap(ElementType type) {
  const auto low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  const Elements<std::int64_t> right = {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high), 1};
  EXPECT_TRUE(compare(integers(type, right), {stored<T>({low, high, 1})}).accepted);
  EXPECT_FALSE(compare(integers(type, right), {stored<T>({high, high, 1})}).accepted);
  EXPECT_FALSE(compare(integers(type, right), {stored<T>({low, low, 1})}).accepted);
  const Comparison last = compare(integers(type, right), {stored<T>({low, high, 3})});
  EXPECT_FALSE(last.accepted);
  EXPECT_EQ(last.where, "case: i[2]");
  EXPECT_EQ(last.max_abs, 2);
  EXPECT_EQ(last.detail, "case: i[2]: got 3, expected 1; 1 of 3 elements differ");
}

TEST(Compare, TakesNoIntegerForAnotherOfTheSameBits) {
  expect_no_wrap<std::int8_t>(ElementType::i8);
  expect_no_wrap<std::int16_t>(ElementType::i16);
  expect_no_wrap<std::int32_t>(ElementType::i32);
  expect_no_wrap<std::int64_t>(ElementType::i64);
  expect_no_wrap<std::uint8_t>(ElementType::u8);
  expect_no_wrap<std::uint16_t>(ElementType::u16);
  expect_no_wrap<std::uint32_t>(ElementType::u32);
  expect_no_wrap<std::uint64_t>(ElementType::u64);
  // 128 and -128, 65535 and -1 are the same bits, and other numbers.
  EXPECT_FALSE(compare(integers(ElementType::u8, {-128}), {stored<std::uint8_t>({128})}).accepted);
  EXPECT_FALSE(compare(integers(ElementType::i8, {128}), {stored<std::int8_t>({-128})}).accepted);
  EXPECT_FALSE(compare(integers(ElementType::u16, {-1}), {stored<std::uint16_t>({65535})}).accepted);
  EXPECT_FALSE(compare(integers(ElementType::i16, {65535}), {stored<std::int16_t>({-1})}).accepted);
  EXPECT_FALSE(compare(integers(ElementType::u32, {-1}), {stored<std::uint32_t>({0xffffffffu})}).accepted);
  EXPECT_FALSE(compare(integers(ElementType::i32, {0xffffffffLL}), {stored<std::int32_t>({-1})}).accepted);
}

TEST(Compare, CountsWrongIntegersAndNamesTheFirst) {
  const Comparison result = compare(integers(ElementType::i32, {1, 2, 3, 4}), {stored<std::int32_t>({1, 7, 3, 40})});
  EXPECT_EQ(result.detail, "case: i[1]: got 7, expected 2; 2 of 4 elements differ");
  EXPECT_EQ(result.max_abs, 5);
}

TEST(Compare, WantsTheBooleanTwoToBeNone) {
  const PreparedCase expected = integers(ElementType::boolean, {1, 0});
  EXPECT_TRUE(compare(expected, {stored<std::uint8_t>({1, 0})}).accepted);
  for (const auto& wrong : std::vector<std::vector<std::uint8_t>>{{2, 0}, {1, 2}, {0, 0}, {1, 1}, {255, 0}})
    EXPECT_FALSE(compare(expected, {stored(wrong)}).accepted);
}

TEST(Compare, DoesNotMeasureLargeIntegersAsReals) {
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  EXPECT_FALSE(compare(integers(ElementType::i64, {large}), {stored<std::int64_t>({large - 1})}).accepted);
  PreparedCase open = integers(ElementType::i64, {large});
  open.outputs[0].slack = {1};
  EXPECT_TRUE(compare(open, {stored<std::int64_t>({large - 1})}).accepted);
  EXPECT_FALSE(compare(open, {stored<std::int64_t>({large - 4096})}).accepted);
}

TEST(Compare, ForgivesIntegersBelowAsAbove) {
  PreparedCase open = integers(ElementType::i8, {5, 5});
  open.outputs[0].slack = {1, 0};
  EXPECT_TRUE(compare(open, {stored<std::int8_t>({4, 5})}).accepted);
  EXPECT_FALSE(compare(open, {stored<std::int8_t>({3, 5})}).accepted);
  EXPECT_FALSE(compare(open, {stored<std::int8_t>({5, 4})}).accepted);
}

TEST(Compare, KeepsAnEarlierExplanationOfReals) {
  PreparedCase expected = ones(1);
  expected.outputs.push_back(integers(ElementType::i32, {1}).outputs[0]);
  const Comparison result = compare(expected, {bytes_of({2}), stored<std::int32_t>({9})});
  EXPECT_EQ(result.where, "case: y[0]");
  EXPECT_THAT(result.detail, HasSubstr("y[0]: got 2"));
  EXPECT_EQ(result.max_abs, 8);
}

TEST(Compare, DecodesHalvesByTheirType) {
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    PreparedCase expected = ones(2);
    expected.outputs[0].type = type;
    expected.outputs[0].values = {1.0, -2.5};
    expected.outputs[0].max_bound = expected.outputs[0].rms_bound = 0;
    const auto bits = type == ElementType::f16 ? spec::f16_from_double : spec::bf16_from_double;
    EXPECT_TRUE(compare(expected, {stored<std::uint16_t>({bits(1), bits(-2.5)})}).accepted);
    EXPECT_FALSE(compare(expected, {stored<std::uint16_t>({bits(1), bits(2.5)})}).accepted);
    EXPECT_FALSE(compare(expected, {stored<std::uint16_t>({bits(2), bits(-2.5)})}).accepted);
  }
}

TEST(Compare, NamesAnElementByAllItsIndices) {
  PreparedCase expected = ones(24);
  expected.outputs[0].shape = {2, 3, 4};
  std::vector<float> got(24, 1.0f);
  got[1 * 12 + 2 * 4 + 3] = 2;
  EXPECT_EQ(compare_with(expected, got).where, "case: y[1, 2, 3]");
  expected = ones(1);
  expected.outputs[0].shape = {};
  EXPECT_EQ(compare_with(expected, {2}).where, "case: y[]");
}

TEST(Compare, ReportsLargeErrorsToTheLastDigit) {
  PreparedCase expected = ones(1);
  ExpectedTensor& y = expected.outputs[0];
  y.values = {0};
  y.scales = {0x1p24};  // u s is 1: errors are distances
  y.max_bound = y.rms_bound = 200001;
  for (const bool slack : {false, true}) {
    if (slack) y.slack = {1};
    const Comparison result = compare_with(expected, {100001.5f});
    EXPECT_TRUE(result.accepted);
    EXPECT_EQ(result.max_abs, 100001.5);
    EXPECT_EQ(result.scaled, slack ? 100000.5 : 100001.5);
    EXPECT_EQ(result.bound, 200001);
  }
  y.values = {0.5};
  EXPECT_EQ(compare_with(expected, {100002.0f}).max_rel, 200003);
  EXPECT_EQ(compare(integers(ElementType::i32, {0}), {stored<std::int32_t>({1048577})}).max_abs, 1048577);
}

TEST(Compare, NamesTheFirstOfEqualErrors) {
  std::vector<float> got(1000, 1.0f);
  EXPECT_EQ(compare_with(thousand_ones(), got).where, "case: y[0, 0]");
  got[205] = got[207] = 1 + 0x1p-23f;
  EXPECT_EQ(compare_with(thousand_ones(), got).where, "case: y[2, 5]");
}

TEST(Compare, TakesValueScaleAndSlackForWhatTheyAre) {
  PreparedCase expected = ones(1);
  expected.outputs[0].values = {3};
  expected.outputs[0].scales = {8};
  expected.outputs[0].slack = {0.25};
  EXPECT_TRUE(compare_with(expected, {3.25f}).accepted);
  EXPECT_TRUE(compare_with(expected, {2.75f}).accepted);
  for (const float wrong : {0.25f, 8.0f, 2.5f}) EXPECT_FALSE(compare_with(expected, {wrong}).accepted) << wrong;
  // |2.5 - 3| - 0.25 is 0.25, u s is 2^-21.
  EXPECT_EQ(compare_with(expected, {2.5f}).detail,
            "case: y[0]: got 2.5, expected 3 (error 5.24e+05, bound 16 units of u*scale); 1 of 1 elements are wrong");
}

TEST(Compare, ErrorOfANanIsInfinite) {
  for (const std::size_t i : {0u, 500u, 999u}) {
    std::vector<float> got(1000, 1.0f);
    got[i] = kNan;
    EXPECT_TRUE(std::isinf(compare_with(thousand_ones(), got).scaled)) << i;
  }
}

TEST(Compare, KnowsTheShareOfABoundThatIsZeroOrSmall) {
  const Bytes four = bytes_of({1 + 0x1p-22f}), eight = bytes_of({1 + 0x1p-21f}), right = bytes_of({1});
  EXPECT_EQ(compare(two_outputs(0), {four, eight}).scaled, 8);
  EXPECT_EQ(compare(two_outputs(0), {four, eight}).bound, 0);
  PreparedCase exact_first = two_outputs(16);
  exact_first.outputs[0].max_bound = exact_first.outputs[0].rms_bound = 0;
  EXPECT_EQ(compare(exact_first, {right, four}).where, "case: z[0]");
  PreparedCase small_first = two_outputs(16);
  small_first.outputs[0].max_bound = small_first.outputs[0].rms_bound = 0.5;
  small_first.outputs[0].scales = {0x1p24};  // u s is 1
  const Bytes quarter = bytes_of({1.25f}), twelve = bytes_of({1 + 12 * 0x1p-24f});
  EXPECT_EQ(compare(small_first, {quarter, four}).where, "case: y[0]");
  EXPECT_EQ(compare(small_first, {quarter, twelve}).where, "case: z[0]");
}

TEST(Compare, RejectsWhatIsBeyondTheBoundByItsLastDigits) {
  PreparedCase expected = ones(1);
  expected.outputs[0].rms_bound = 17;
  const float off = 1 + 0x1p-20f;  // 16 units of a scale of 1, a little more of a smaller one
  EXPECT_TRUE(compare_with(expected, {off}).accepted);
  expected.outputs[0].scales = {1 - 0x1p-40};
  EXPECT_FALSE(compare_with(expected, {off}).accepted);
}

TEST(Compare, WantsANanWhereverItIsExpected) {
  for (const std::size_t count : {1u, 2u, 3u, 8u, 17u})
    for (std::size_t i = 0; i < count; ++i) {
      PreparedCase expected = ones(static_cast<std::int64_t>(count));
      expected.outputs[0].values[i] = std::nan("");
      std::vector<float> got(count, 1.0f);
      const Comparison wrong = compare_with(expected, got);
      EXPECT_FALSE(wrong.accepted) << i << " of " << count;
      EXPECT_THAT(wrong.detail, HasSubstr("y[" + std::to_string(i) + "]: got 1, expected nan"));
      got[i] = kNan;
      EXPECT_TRUE(compare_with(expected, got).accepted) << i << " of " << count;
    }
}

TEST(Compare, NamesTheFirstOfEqualErrorsFarApart) {
  std::vector<float> got(3000, 1.0f);
  got[5] = got[2000] = 1 + 0x1p-22f;
  EXPECT_EQ(compare_with(ones(3000), got).where, "case: y[5]");
  EXPECT_EQ(compare_with(ones(3000), std::vector<float>(3000, 1.0f)).where, "case: y[0]");
}

TEST(Compare, MeasuresNothingThatSlackCovers) {
  PreparedCase expected = ones(2);
  expected.outputs[0].scales = {0x1p24, 0x1p24};  // errors are distances
  expected.outputs[0].slack = {0.5, 0.5};
  const Comparison result = compare_with(expected, {1.25f, 0.75f});
  EXPECT_TRUE(result.accepted);
  EXPECT_EQ(result.scaled, 0);
  EXPECT_EQ(result.max_abs, 0.25);
}

/// The same with one element more, where a NaN belongs.
PreparedCase with_a_nan(PreparedCase expected) {
  ExpectedTensor& y = expected.outputs[0];
  y.shape = {static_cast<std::int64_t>(y.values.size() + 1)};
  y.values.push_back(std::nan(""));
  y.scales.push_back(1);
  return expected;
}

/// Finite numbers of both signs, errors of 0, 100000, 0.5, 7 and 8 and a NaN.
PreparedCase large_errors() {
  PreparedCase expected = ones(5);
  expected.outputs[0].values = {1, 2, -4, 0, 8};
  expected.outputs[0].scales.assign(5, 0x1p24);  // errors are distances
  expected.outputs[0].max_bound = expected.outputs[0].rms_bound = 200001;
  return with_a_nan(expected);
}
const std::vector<float> kFarOff = {1, 100002, -4.5, 7, 0, kNan};

TEST(Compare, MeasuresWhatStandsBesideANan) {
  const Comparison result = compare_with(large_errors(), kFarOff);
  EXPECT_TRUE(result.accepted) << result.detail;
  EXPECT_EQ(result.max_abs, 100000);
  EXPECT_EQ(result.max_rel, 50000);  // 100000 / 2; the zero has none
  EXPECT_EQ(result.scaled, 100000);
  EXPECT_EQ(result.where, "case: y[1]");
}

TEST(Compare, BoundsTheRootMeanSquareOfWhatStandsBesideANan) {
  PreparedCase expected = large_errors();
  const double rms = std::sqrt((100000.0 * 100000 + 0.5 * 0.5 + 7 * 7 + 8 * 8) / 6);
  expected.outputs[0].rms_bound = rms;
  EXPECT_TRUE(compare_with(expected, kFarOff).accepted);
  expected.outputs[0].rms_bound = std::nextafter(rms, 0);
  EXPECT_FALSE(compare_with(expected, kFarOff).accepted);
}

TEST(Compare, RejectsBeyondTheBoundBesideANan) {
  PreparedCase expected = large_errors();
  expected.outputs[0].max_bound = 100000;
  EXPECT_TRUE(compare_with(expected, kFarOff).accepted);
  expected.outputs[0].max_bound = std::nextafter(100000, 0);
  EXPECT_FALSE(compare_with(expected, kFarOff).accepted);
}

TEST(Compare, NamesTheFirstOfEqualErrorsBesideANan) {
  const float off = 1 + 0x1p-22f;
  EXPECT_EQ(compare_with(with_a_nan(ones(3)), {1, off, off, kNan}).where, "case: y[1]");
  EXPECT_EQ(compare_with(with_a_nan(ones(3)), {1, 1, 1, kNan}).where, "case: y[0]");
}

}  // namespace
}  // namespace assay::cases
