// SPDX-License-Identifier: Apache-2.0
// Bounds for each type, and the exact case.
#include "assay/cases/expected.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "assay/spec/half.h"
#include "written_task.h"

namespace assay::cases {
namespace {

using oracle::Elements, oracle::SumOrder;
using spec::ElementType, spec::Task, spec::spacing;

PreparedCase prepared(const Task& task, const std::map<std::string, std::int64_t>& dims) {
  return prepare_case(task, "case", dims, draw_inputs(task, {}, dims, 1, "case"), kLearntOrders);
}

Bytes half_bytes(const Elements<double>& values, ElementType type) {
  Bytes bytes(values.size() * 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t bits = type == ElementType::f16 ? spec::f16_from_double(values[i]) : spec::bf16_from_double(values[i]);
    std::memcpy(bytes.data() + 2 * i, &bits, 2);
  }
  return bytes;
}

const char* const kTiming = "dims: {N: [1, 20], K: [1, 40]}\ntiming: {cpu: {dims: {N: 64, K: 64}}}\n";

Bytes float_bytes(const std::vector<float>& values) {
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

const char* const kRow = "dims: {N: [1, 20]}\ntiming: {cpu: {dims: {N: 64}}}\n";

/// `model`, of one input `x` of floats, on these values.
PreparedCase on_values(const std::string& model, const std::vector<float>& x) {
  return prepare_case(written_task(model, kRow), "case", {{"N", static_cast<std::int64_t>(x.size())}}, {float_bytes(x)}, kLearntOrders);
}

TEST(Halves, MayLeaveTheirRangeWhereHonestSumsMay) {
  // 65504 is the largest; from 65520 on a number is rounded to infinity.
  constexpr double kLargest = 65504, kInfinite = std::numeric_limits<double>::infinity(), kStep = 1.0 / 64;
  const Task task =
      written_task("(float16[N] x) => (float16[1] y) { z = Cast <to = 1> (x)  s = ReduceSum(z)  y = Cast <to = 10> (s) }", kRow);
  for (const double sign : {1.0, -1.0}) {
    const auto accepted = [&](double more, double got) {
      const PreparedCase expected =
          prepare_case(task, "case", {{"N", 2}}, {half_bytes({sign * kLargest, sign * more}, ElementType::f16)}, {SumOrder::natural});
      return compare(expected, {half_bytes({sign * got}, ElementType::f16)}).accepted;
    };
    for (const double near : {16 - kStep, 16 + kStep}) {
      EXPECT_TRUE(accepted(near, kLargest));
      EXPECT_TRUE(accepted(near, kInfinite));
    }
    EXPECT_TRUE(accepted(15 - kStep, kLargest));
    EXPECT_FALSE(accepted(15 - kStep, kInfinite));
    EXPECT_TRUE(accepted(17 + kStep, kInfinite));
    EXPECT_FALSE(accepted(17 + kStep, kLargest));
  }
}

TEST(Halves, MayLeaveTheirRangeWhereARoundingTakesThem) {
  const auto accepted = [](const std::string& compute, double x, double w, double got) {
    const Task task = written_task("(float16[N] x, float16[N] w) => (float16[N] y) { y = Mul(x, w) }", compute + kRow);
    const PreparedCase expected =
        prepare_case(task, "case", {{"N", 1}}, {half_bytes({x}, ElementType::f16), half_bytes({w}, ElementType::f16)}, {SumOrder::natural});
    return compare(expected, {half_bytes({got}, ElementType::f16)}).accepted;
  };
  constexpr double kLargest = 65504, kInfinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(accepted("", 131.5, 498.25, kLargest)) << "65519.875 is rounded to it";
  EXPECT_TRUE(accepted("", 131.5, 498.25, kInfinite)) << "with errors that others allow";
  EXPECT_TRUE(accepted("", 238.25, 275, kLargest));
  EXPECT_FALSE(accepted("", 238.25, 275, kInfinite)) << "65518.75";
}

TEST(Halves, AreToBeRoundedRight) {
  for (const char* type : {"float16", "bfloat16"}) {
    const std::string body = std::string("(") + type + "[N, K] x) => (" + type + "[N, K] y) { y = Exp(x) }";
    const PreparedCase expected = prepared(written_task(body, kTiming), {{"N", 4}, {"K", 30}});
    const ExpectedTensor& y = expected.outputs[0];
    EXPECT_TRUE(compare(expected, {half_bytes(y.values, y.type)}).accepted);
    for (const double side : {-1.0, 1.0}) {
      Elements<double> values = y.values;
      values[7] = spec::stored_as(values[7], y.type) + side * spacing(values[7], y.type);
      EXPECT_FALSE(compare(expected, {half_bytes(values, y.type)}).accepted) << type;
    }
  }
}

TEST(Halves, BoundsDoNotGrowWithWhatLiesInTheMiddle) {
  const Task task = written_task("(float[N, K] x) => (bfloat16[N, K] y)\n  {\n    e = Exp(x)\n    y = Cast <to = 16> (e)\n  }", kTiming);
  const std::map<std::string, std::int64_t> dims = {{"N", 500}, {"K", 400}};  // of so many, float32 rounds some the other way
  EXPECT_EQ(prepare_case(task, "case", dims, draw_inputs(task, {}, dims, 1, "case"), kLearntOrders).outputs[0].max_bound, 16);
}

TEST(Halves, MayGoEitherWayNearTheMiddleBetweenTwo) {
  // The root is 1 + 2^-8 but for what float32 rounds: the middle between 1 and 1 + 2^-7.
  const double middle = 1 + 0x1p-8;
  const PreparedCase expected =
      on_values("(float[N] x) => (bfloat16[N] y) { z = Sqrt(x)  y = Cast <to = 16> (z) }", {static_cast<float>(middle * middle)});
  for (const double got : {1.0, 1 + 0x1p-7}) EXPECT_TRUE(compare(expected, {half_bytes({got}, ElementType::bf16)}).accepted) << got;
  for (const double got : {1 - 0x1p-6, 1 + 0x1p-5}) EXPECT_FALSE(compare(expected, {half_bytes({got}, ElementType::bf16)}).accepted) << got;
}

TEST(Halves, OfALastCastCostHalfAUnit) {
  const Task task =
      written_task("(float[N, K] x, float[K, N] w) => (bfloat16[N, N] y) { z = MatMul(x, w)  y = Cast <to = 16> (z) }", kTiming);
  const PreparedCase expected = prepared(task, {{"N", 8}, {"K", 40}});
  for (const SumOrder order : {SumOrder::strided, SumOrder::blocked})
    EXPECT_TRUE(compare(expected, evaluate_honestly(task, expected, order)).accepted);
  const ExpectedTensor& y = expected.outputs[0];
  Elements<double> truncated = y.values;
  for (double& value : truncated) value -= std::copysign(spacing(value, y.type), value);
  EXPECT_FALSE(compare(expected, {half_bytes(truncated, y.type)}).accepted);
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    Elements<double> off = y.values;
    off[i] += 2 * spacing(off[i], y.type);
    EXPECT_FALSE(compare(expected, {half_bytes(off, y.type)}).accepted) << i;
  }
}

TEST(Halves, MayRoundBetweenOperators) {
  // exp(x) - 1 near 0: rounding exp(x) to float16 first leaves steps of 2^-11, far more than a unit of the
  // result.
  const Task task = written_task("(float16[N] x, float16[N] one) => (float16[N] y) { e = Exp(x)  y = Sub(e, one) }",
                                 "dims: {N: [1, 20]}\ninputs: {x: {init: uniform, low: 0.01, high: 0.02}, one: "
                                 "ones}\ntiming: {cpu: {dims: {N: 64}}}\n");
  const PreparedCase expected = prepared(task, {{"N", 16}});
  Elements<double> eager, fused, wrong;
  for (std::size_t i = 0; i < 16; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, expected.inputs[0].data() + 2 * i, 2);
    const double x = spec::double_from_f16(bits);
    eager.push_back(spec::stored_as(std::exp(x), ElementType::f16) - 1);
    fused.push_back(std::expm1(x));
    wrong.push_back(std::expm1(x) + 0x1p-9);
  }
  EXPECT_TRUE(compare(expected, {half_bytes(eager, ElementType::f16)}).accepted);
  EXPECT_TRUE(compare(expected, {half_bytes(fused, ElementType::f16)}).accepted);
  EXPECT_FALSE(compare(expected, {half_bytes(wrong, ElementType::f16)}).accepted);
}

TEST(Doubles, AreNotSatisfiedWithFloat) {
  const Task task = written_task("(double[N, K] x, double[K, N] w) => (double[N, N] y) { y = MatMul(x, w) }", kTiming);
  const PreparedCase expected = prepared(task, {{"N", 8}, {"K", 40}});
  const std::vector<Bytes> honest = evaluate_honestly(task, expected, SumOrder::strided);
  EXPECT_TRUE(compare(expected, honest).accepted);
  std::vector<Bytes> rounded = honest;
  for (std::size_t i = 0; i < 64; ++i) {
    double y;
    std::memcpy(&y, rounded[0].data() + 8 * i, 8);
    y = static_cast<float>(y);
    std::memcpy(rounded[0].data() + 8 * i, &y, 8);
  }
  EXPECT_FALSE(compare(expected, rounded).accepted);
}

const ExactCase kSmallExact{"exact", IntegerKind::plain, {{"N", 9}, {"K", 39}}, 0};

TEST(ExactCase, HoldsForAnyOrderAndNoLowerPrecision) {
  const Task task = written_task("(float[N, K] x, float[K, N] w) => (float[N, N] y) { y = MatMul(x, w) }", kTiming);
  const auto exact = prepare_exact_case(task, 1, kSmallExact);
  ASSERT_TRUE(exact.has_value());
  EXPECT_EQ(exact->outputs[0].max_bound, 0);
  for (const SumOrder order : {SumOrder::strided, SumOrder::blocked, SumOrder::reversed})
    EXPECT_TRUE(compare(*exact, evaluate_honestly(task, *exact, order)).accepted);
  PreparedCase tf32 = *exact;
  auto* x = reinterpret_cast<float*>(tf32.inputs[0].data());
  for (std::size_t i = 0; i < tf32.inputs[0].size() / sizeof(float); ++i) x[i] = static_cast<float>(spec::rounded_to(x[i], 11, -126));
  EXPECT_FALSE(compare(*exact, evaluate_honestly(task, tf32, SumOrder::natural)).accepted);
}

TEST(ExactCase, IsNotMadeWhereRoundingOrATransformIsLegal) {
  EXPECT_FALSE(prepare_exact_case(written_task("(float[N, K] x) => (float[N, K] y) { y = Tanh(x) }", kTiming), 1, kSmallExact));
  EXPECT_FALSE(prepare_exact_case(written_task("(float[N, K] x) => (float[N, K] y) { y = Softmax(x) }", kTiming), 1, kSmallExact));
  EXPECT_FALSE(prepare_exact_case(
      written_task("(float[N, 2, K, 40] x, float[3, 2, 1, 3] w) => (float[N, 3, K, M] y) { y = Conv(x, w) }", kTiming), 1, kSmallExact));
  EXPECT_TRUE(prepare_exact_case(written_task("(float[N, K] x) => (float[N, K] y) { y = Relu(x) }", kTiming), 1, kSmallExact));
}

/// The two parts that a split into bfloat16 keeps of each float.
float upper_part(float x) { return static_cast<float>(spec::rounded_to(x, 8, -126)); }

TEST(ExactCase, OfProductsShowsASplitIntoPairsOfBfloat16AtAnyLength) {
  const Task task = written_task("(float[N, K] x, float[K, N] w) => (float[N, N] y) { y = MatMul(x, w) }", kTiming);
  constexpr std::int64_t kRows = 5;
  for (const std::int64_t length : {64, 320, 1024, 2051, 4099})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto exact = prepare_exact_case(task, seed, {"exact", IntegerKind::both_wide, {{"N", kRows}, {"K", length}}, 0});
      ASSERT_TRUE(exact.has_value());
      EXPECT_TRUE(gives_the_same(task, *exact, kLearntOrders));
      const auto* x = reinterpret_cast<const float*>(exact->inputs[0].data());
      const auto* w = reinterpret_cast<const float*>(exact->inputs[1].data());
      Bytes outputs(kRows * kRows * sizeof(float));
      auto* y = reinterpret_cast<float*>(outputs.data());
      for (std::int64_t i = 0; i < kRows; ++i)
        for (std::int64_t j = 0; j < kRows; ++j) {
          float sum = 0;
          for (std::int64_t k = 0; k < length; ++k) {
            const float a = x[i * length + k], b = w[k * kRows + j], high = upper_part(a), top = upper_part(b);
            sum += high * top + high * upper_part(b - top) + upper_part(a - high) * top;
          }
          y[i * kRows + j] = sum;
        }
      EXPECT_FALSE(compare(*exact, {outputs}).accepted) << "K = " << length << ", seed " << seed;
    }
}

TEST(ExactCase, KeepsLongProductsSmall) {
  const auto exact =
      prepare_exact_case(written_task("(float[N, K] x) => (float[N, 1] y) { y = ReduceProd <axes = [1]> (x) }", kTiming), 1, kSmallExact);
  ASSERT_TRUE(exact.has_value());
  for (const double y : exact->outputs[0].values) EXPECT_LT(std::abs(y), 0x1p22);
}

TEST(Bounds, AreSixteenAndFourUnitsAtLeast) {
  const PreparedCase expected = on_values("(float[N] x) => (float[N] y) { y = Relu(x) }", {1, -2, 3});
  EXPECT_EQ(expected.outputs[0].max_bound, 16);
  EXPECT_DOUBLE_EQ(expected.outputs[0].rms_bound, 16 / std::sqrt(3.0)) << "one of three may be at its bound";
  EXPECT_EQ(on_values("(float[N] x) => (float[N] y) { y = Relu(x) }", std::vector<float>(17, 1)).outputs[0].rms_bound, 4);
  EXPECT_EQ(expected.outputs[0].values, (Elements<double>{1, 0, 3}));
  EXPECT_TRUE(expected.outputs[0].slack.empty());
  EXPECT_TRUE(expected.outputs[0].exact.empty());
}

TEST(Bounds, TakeTheTasksOwnFactor) {
  const Task task =
      written_task("(float[N] x) => (float[N] y) { y = Relu(x) }", std::string(kRow) + "bounds: {y: {factor: 8.125001, why: a test}}\n");
  const PreparedCase expected = prepare_case(task, "case", {{"N", 1}}, {float_bytes({1})}, kLearntOrders);
  EXPECT_EQ(expected.outputs[0].max_bound, 4 * 8.125001);
  EXPECT_EQ(expected.outputs[0].rms_bound, 4 * 8.125001) << "as the largest error of one element";
}

TEST(Bounds, OfOtherValuesThanNormalNumbersAreTwiceThoseOfADrawWhereTimed) {
  const CaseFile file = prepare_timing(written_task("(float[N, K] x) => (float[N, K] y) { y = Relu(x) }", kTiming), 1, "cpu");
  ASSERT_EQ(file.timing.size(), 1u);
  const TimingShape& shape = file.timing.front();
  EXPECT_EQ(shape.layout.outputs.at(0).max_bound, 16);
  EXPECT_TRUE(shape.layout.inputs.empty() && shape.layout.outputs[0].values.empty());
  EXPECT_EQ(shape.near.at(0).most, 8);
  EXPECT_FALSE(shape.probes.empty());
  for (const auto& [name, bounds] : shape.probes) {
    EXPECT_EQ(bounds.at(0).max, 32) << name;
    EXPECT_EQ(bounds.at(0).rms, 8) << name;
  }
}

TEST(Bounds, AreLeftOpenWhereNothingIsLearnt) {
  const Task task = written_task("(float[N] x) => (float[N] y) { y = Relu(x) }", kRow);
  const PreparedCase expected = prepare_case(task, "case", {{"N", 1}}, {float_bytes({1})}, {});
  EXPECT_EQ(expected.outputs[0].max_bound, 0);
  EXPECT_EQ(expected.outputs[0].rms_bound, 0);
}

/// The mean of each row of x.
Task means() {
  return written_task("(float[N, K] x) => (float[N, 1] y) { y = ReduceMean <axes = [1]> (x) }",
                      "dims: {N: [1, 20], K: [1, 40000]}\ninputs: {x: {init: uniform, low: 0, high: 1}}\n"
                      "timing: {cpu: {dims: {N: 64, K: 64}}}\n");
}

/// The bounds are four times the worst that honest evaluations show in those of the `rows` rows where a finite number is expected.
void expect_learnt_bounds(const PreparedCase& expected, std::size_t rows) {
  const ExpectedTensor& y = expected.outputs[0];
  ASSERT_EQ(y.values.size(), rows);
  double worst = 0, worst_rms = 0;
  for (const SumOrder order : kLearntOrders) {
    const Bytes honest = evaluate_honestly(means(), expected, order)[0];
    double squares = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      if (!std::isfinite(y.values[i])) continue;
      float got;
      std::memcpy(&got, honest.data() + 4 * i, 4);
      const double error = std::abs(static_cast<double>(got) - y.values[i]) / (0x1p-24 * y.scales[i] + 0x1p-126);
      worst = std::max(worst, error);
      squares += error * error;
    }
    worst_rms = std::max(worst_rms, std::sqrt(squares / static_cast<double>(rows)));
  }
  // Sums of positive numbers, one after the other, err by far more than the least that is allowed.
  ASSERT_GT(worst, 4);
  ASSERT_GT(worst_rms, 1);
  EXPECT_DOUBLE_EQ(y.max_bound, 4 * worst);
  EXPECT_DOUBLE_EQ(y.rms_bound, std::max(4 * worst_rms, 4 * worst / std::sqrt(static_cast<double>(rows))));
}

TEST(Bounds, AreFourTimesTheWorstThatHonestEvaluationsShow) {
  for (const std::int64_t rows : {1, 5})
    expect_learnt_bounds(prepared(means(), {{"N", rows}, {"K", 30000}}), static_cast<std::size_t>(rows));
}

TEST(Bounds, AreLearntFromWhatStandsBesideAnInfinity) {
  const std::map<std::string, std::int64_t> dims = {{"N", 3}, {"K", 30000}};
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<Bytes> inputs = draw_inputs(means(), {}, dims, 1, "case");
    const float infinity = std::numeric_limits<float>::infinity();
    std::memcpy(inputs[0].data() + row * 30000 * sizeof infinity, &infinity, sizeof infinity);
    const PreparedCase expected = prepare_case(means(), "case", dims, inputs, kLearntOrders);
    EXPECT_TRUE(std::isinf(expected.outputs[0].values[row]));
    expect_learnt_bounds(expected, 3);
  }
}

TEST(Bounds, ExpectInfinityWhereTheResultLeavesItsType) {
  const PreparedCase expected = on_values("(float[N] x) => (float[N] y) { y = Mul(x, x) }", {1e30f, 2});
  EXPECT_EQ(expected.outputs[0].values[0], HUGE_VAL);
  EXPECT_EQ(expected.outputs[0].values[1], 4);
  EXPECT_TRUE(compare(expected, {float_bytes({std::numeric_limits<float>::infinity(), 4})}).accepted);
  EXPECT_FALSE(compare(expected, {float_bytes({std::numeric_limits<float>::infinity(), 5})}).accepted);
}

TEST(Bounds, KeepTheOraclesOwnDigits) {
  const PreparedCase expected = on_values("(float[N] x) => (float[N] y) { y = Exp(x) }", {1});
  EXPECT_EQ(expected.outputs[0].values[0], std::exp(1.0)) << "not rounded to float";
  EXPECT_EQ(expected.outputs[0].scales[0], std::exp(1.0));
}

TEST(Bounds, JudgeNoSumThatOverflowsInSomeOrder) {
  const PreparedCase expected = on_values("(float[N] x) => (float[1] y) { y = ReduceSum(x) }", {3e38f, 3e38f, -3e38f, -3e38f});
  EXPECT_TRUE(std::isinf(expected.outputs[0].scales[0]));
  for (const float any : {0.0f, std::numeric_limits<float>::infinity(), std::nanf("")})
    EXPECT_TRUE(compare(expected, {float_bytes({any})}).accepted);
}

TEST(Bounds, JudgeNoElementThatLeavesTheRangeOnItsWay) {
  const std::string model = "(float[N] x) => (float[N] y) { c = Constant <value = float {1e30}> ()  a = Mul(x, c)  y = Div(a, c) }";
  const PreparedCase expected = on_values(model, {1e20f, 1, -1e20f});
  EXPECT_TRUE(std::isinf(expected.outputs[0].scales[0]));
  EXPECT_FALSE(std::isinf(expected.outputs[0].scales[1]));
  EXPECT_TRUE(std::isinf(expected.outputs[0].scales[2]));
  EXPECT_EQ(expected.outputs[0].max_bound, 16) << "what is not judged widens no bound";
}

/// That of two elements the first is not judged, and the second is.
void expect_only_the_second_judged(const PreparedCase& expected) {
  ASSERT_EQ(expected.outputs[0].scales.size(), 2u);
  EXPECT_TRUE(std::isinf(expected.outputs[0].scales[0]));
  EXPECT_FALSE(std::isinf(expected.outputs[0].scales[1]));
  EXPECT_EQ(expected.outputs[0].max_bound, 16);
}

TEST(Bounds, JudgeNoNumberThatHonestKernelsMakeANan) {
  // 1e50 / 1e50 is 1, and in float infinity / infinity.
  const PreparedCase expected =
      on_values("(float[N] x) => (float[N] y) { c = Constant <value = float {1e30}> ()  a = Mul(x, c)  y = Div(a, a) }", {1e20f, 1});
  EXPECT_EQ(expected.outputs[0].values, (Elements<double>{1, 1}));
  expect_only_the_second_judged(expected);
}

TEST(Bounds, JudgeNoNanThatHonestKernelsMakeANumber) {
  // The root of 1 - (1 + 1e-10), which is 0 in float; that of 0 - (0 + 1e-10) is a NaN in float as well.
  const PreparedCase expected = on_values(
      "(float[N] x) => (float[N] y) { c = Constant <value = float {1e-10}> ()  a = Add(x, c)  b = Sub(x, a)  y = Sqrt(b) }", {1, 0});
  for (const double value : expected.outputs[0].values) EXPECT_TRUE(std::isnan(value));
  expect_only_the_second_judged(expected);
}

TEST(Bounds, JudgeNoInfinityThatHonestKernelsMakeANumber) {
  // 1 / ((x + 1) - x - 1): for 1e8 the divisor is 0, and -1 in float.
  const PreparedCase expected = on_values(
      "(float[N] x) => (float[N] y) { c = Constant <value = float {1}> ()  a = Add(x, c)  b = Sub(a, x)  d = Sub(b, c)  y = Div(c, d) }",
      {1e8f, 1});
  for (const double value : expected.outputs[0].values) EXPECT_EQ(value, HUGE_VAL);
  expect_only_the_second_judged(expected);
}

TEST(Bounds, WantNanForNanAndInfinityForInfinity) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const PreparedCase expected = on_values("(float[N] x) => (float[N] y) { y = Neg(x) }", {nan, infinity, -infinity, 1});
  for (const double scale : expected.outputs[0].scales) EXPECT_FALSE(std::isinf(scale));
  EXPECT_TRUE(compare(expected, {float_bytes({nan, -infinity, infinity, -1})}).accepted);
  EXPECT_FALSE(compare(expected, {float_bytes({0, -infinity, infinity, -1})}).accepted);
  EXPECT_FALSE(compare(expected, {float_bytes({nan, infinity, infinity, -1})}).accepted);
  EXPECT_EQ(expected.outputs[0].max_bound, 16);
}

TEST(Integers, AreTheOraclesAndClosed) {
  const Task task = written_task("(int64[N] x) => (int64[N] y) { y = Neg(x) }", kRow);
  Bytes bytes(16);
  const std::int64_t x[] = {5, -(std::int64_t{1} << 60) - 1};
  std::memcpy(bytes.data(), x, sizeof x);
  const ExpectedTensor y = prepare_case(task, "case", {{"N", 2}}, {bytes}, kLearntOrders).outputs[0];
  EXPECT_EQ(y.exact, (Elements<std::int64_t>{-5, (std::int64_t{1} << 60) + 1}));
  EXPECT_TRUE(y.values.empty());
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(y.slack_at(i), 0);
}

TEST(Integers, AreOpenWhereErrorsLeaveAComparisonOpen) {
  const PreparedCase expected =
      on_values("(float[N] x) => (bool[N] y) { c = Constant <value = float {1}> ()  a = Exp(x)  y = Greater(a, c) }", {0, 0.5f});
  const ExpectedTensor& y = expected.outputs[0];
  EXPECT_EQ(y.exact, (Elements<std::int64_t>{0, 1}));
  EXPECT_EQ(y.slack, (Elements<double>{1, 0}));
  const PreparedCase closed = on_values("(float[N] x) => (bool[N] y) { a = Relu(x)  b = Exp(x)  y = Greater(a, b) }", {0.5f});
  EXPECT_EQ(closed.outputs[0].exact, Elements<std::int64_t>{0});
  EXPECT_EQ(closed.outputs[0].slack_at(0), 0);
}

TEST(Integers, MayBeAnythingWhereErrorsLeaveAPlaceOpen) {
  const std::string model = "(float[N] x) => (int64[1] y) { a = Exp(x)  y = ArgMax <axis = 0> (a) }";
  const PreparedCase open = on_values(model, {0.5f, 0.5f}), closed = on_values(model, {0.5f, 1});
  EXPECT_EQ(open.outputs[0].exact, Elements<std::int64_t>{0});
  EXPECT_EQ(open.outputs[0].slack_at(0), HUGE_VAL);
  EXPECT_EQ(closed.outputs[0].exact, Elements<std::int64_t>{1});
  EXPECT_EQ(closed.outputs[0].slack_at(0), 0);
}

TEST(Halves, OfExactOperatorsAreExact) {
  const Elements<double> x = {1, 1.5, 3, 0.25, 1000, 0x1p-14, -2};
  for (const ElementType type : {ElementType::f16, ElementType::bf16})
    for (const char* op : {"Relu(x)", "Floor(x)", "MaxPool <kernel_shape = [1]> (x)", "Neg(x)"}) {
      const std::string name(spec::info(type).onnx_name);
      const bool pools = std::string_view(op).starts_with("Max");
      const std::string shape = pools ? "[1, 1, N]" : "[N]";
      const Task task = written_task("(" + name + shape + " x) => (" + name + shape + " y) { y = " + op + " }", kRow);
      const PreparedCase expected = prepare_case(task, "case", {{"N", 7}}, {half_bytes(x, type)}, kLearntOrders);
      const ExpectedTensor& y = expected.outputs[0];
      EXPECT_TRUE(compare(expected, {half_bytes(y.values, type)}).accepted) << op;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (const double side : {-0.5, 1.0}) {
          if (y.values[i] == 0) continue;  // the least numbers may be flushed
          Elements<double> off = y.values;
          off[i] += side * spacing(off[i], type);
          if (spec::stored_as(off[i], type) == y.values[i]) continue;  // half a unit is a neighbour below a power of two alone
          EXPECT_FALSE(compare(expected, {half_bytes(off, type)}).accepted) << op << " " << i;
        }
    }
}

TEST(Halves, HaveWhatRoundingOnTheWayMayMoveFreeBesides) {
  const Task task = written_task("(float16[N] x, float16[N] one) => (float16[N] y) { e = Exp(x)  y = Sub(e, one) }",
                                 "dims: {N: [1, 20]}\ntiming: {cpu: {dims: {N: 64}}}\n");
  const Elements<double> x = {0.015625, 0.03125};
  const auto expected =
      prepare_case(task, "case", {{"N", 2}}, {half_bytes(x, ElementType::f16), half_bytes({1, 1}, ElementType::f16)}, kLearntOrders);
  const ExpectedTensor& y = expected.outputs[0];
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(y.values[i], std::exp(x[i]) - 1) << "not rounded";
    // Half a unit in the last place of exp(x), which lies between 1 and 2.
    EXPECT_NEAR(y.slack[i], spacing(y.values[i], ElementType::f16) / 2 + 0x1p-11, 1e-12) << i;
  }
}

}  // namespace
}  // namespace assay::cases
