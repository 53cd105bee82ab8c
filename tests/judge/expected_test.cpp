// SPDX-License-Identifier: Apache-2.0
// Bounds for each type, and the exact case.
#include "assay/judge/expected.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "assay/spec/half.h"
#include "written_task.h"

namespace assay {
namespace {

PreparedCase prepared(const Task& task, const std::map<std::string, std::int64_t>& dims) {
  return prepare_case(task, "case", dims, draw_inputs(task, {}, dims, 1, "case"), kLearntOrders);
}

Bytes half_bytes(const std::vector<double>& values, ElementType type) {
  Bytes bytes(values.size() * 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t bits =
        type == ElementType::f16 ? f16_from_double(values[i]) : bf16_from_double(values[i]);
    std::memcpy(bytes.data() + 2 * i, &bits, 2);
  }
  return bytes;
}

const char* const kTiming = "dims: {N: [1, 20], K: [1, 40]}\ntiming: {cpu: {dims: {N: 64, K: 64}}}\n";

TEST(Halves, AreHeldAgainstTheCorrectlyRoundedOracle) {
  for (const char* type : {"float16", "bfloat16"}) {
    const std::string body = std::string("(") + type + "[N, K] x) => (" + type + "[N, K] y) { y = Exp(x) }";
    const PreparedCase expected = prepared(written_task(body, kTiming), {{"N", 4}, {"K", 30}});
    const ExpectedTensor& y = expected.outputs[0];
    std::vector<double> values = y.values;
    for (const double x : values) EXPECT_EQ(stored_as(x, y.type), x);
    EXPECT_TRUE(compare(expected, {half_bytes(values, y.type)}).accepted);
    values[7] += spacing(values[7], y.type);
    EXPECT_TRUE(compare(expected, {half_bytes(values, y.type)}).accepted);
    values[7] += 2 * spacing(values[7], y.type);
    EXPECT_FALSE(compare(expected, {half_bytes(values, y.type)}).accepted) << type;
  }
}

TEST(Halves, MayRoundBetweenOperators) {
  // exp(x) - 1 near 0: rounding exp(x) to float16 first leaves steps of 2^-11, far more than a unit of the
  // result.
  const Task task =
      written_task("(float16[N] x, float16[N] one) => (float16[N] y) { e = Exp(x)  y = Sub(e, one) }",
                   "dims: {N: [1, 20]}\ninputs: {x: {init: uniform, low: 0.01, high: 0.02}, one: "
                   "ones}\ntiming: {cpu: {dims: {N: 64}}}\n");
  const PreparedCase expected = prepared(task, {{"N", 16}});
  std::vector<double> eager, fused, wrong;
  for (std::size_t i = 0; i < 16; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, expected.inputs[0].data() + 2 * i, 2);
    const double x = double_from_f16(bits);
    eager.push_back(stored_as(std::exp(x), ElementType::f16) - 1);
    fused.push_back(std::expm1(x));
    wrong.push_back(std::expm1(x) + 0x1p-9);
  }
  EXPECT_TRUE(compare(expected, {half_bytes(eager, ElementType::f16)}).accepted);
  EXPECT_TRUE(compare(expected, {half_bytes(fused, ElementType::f16)}).accepted);
  EXPECT_FALSE(compare(expected, {half_bytes(wrong, ElementType::f16)}).accepted);
}

TEST(Doubles, AreNotSatisfiedWithFloat) {
  const Task task =
      written_task("(double[N, K] x, double[K, N] w) => (double[N, N] y) { y = MatMul(x, w) }", kTiming);
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

TEST(ExactCase, HoldsForAnyOrderAndNoLowerPrecision) {
  const Task task =
      written_task("(float[N, K] x, float[K, N] w) => (float[N, N] y) { y = MatMul(x, w) }", kTiming);
  const auto exact = prepare_exact_case(task, 1);
  ASSERT_TRUE(exact.has_value());
  EXPECT_EQ(exact->outputs[0].max_bound, 0);
  for (const SumOrder order : {SumOrder::strided, SumOrder::blocked, SumOrder::reversed})
    EXPECT_TRUE(compare(*exact, evaluate_honestly(task, *exact, order)).accepted);
  PreparedCase tf32 = *exact;
  auto* x = reinterpret_cast<float*>(tf32.inputs[0].data());
  for (std::size_t i = 0; i < tf32.inputs[0].size() / sizeof(float); ++i)
    x[i] = static_cast<float>(rounded_to(x[i], 11, -126));
  EXPECT_FALSE(compare(*exact, evaluate_honestly(task, tf32, SumOrder::natural)).accepted);
}

TEST(ExactCase, IsNotMadeWhereRoundingOrATransformIsLegal) {
  EXPECT_FALSE(
      prepare_exact_case(written_task("(float[N, K] x) => (float[N, K] y) { y = Tanh(x) }", kTiming), 1));
  EXPECT_FALSE(
      prepare_exact_case(written_task("(float[N, K] x) => (float[N, K] y) { y = Softmax(x) }", kTiming), 1));
  EXPECT_FALSE(prepare_exact_case(
      written_task("(float[N, 2, K, 40] x, float[3, 2, 1, 3] w) => (float[N, 3, K, M] y) { y = Conv(x, w) }",
                   kTiming),
      1));
  EXPECT_TRUE(
      prepare_exact_case(written_task("(float[N, K] x) => (float[N, K] y) { y = Relu(x) }", kTiming), 1));
}

TEST(ExactCase, KeepsLongProductsSmall) {
  const auto exact = prepare_exact_case(
      written_task("(float[N, K] x) => (float[N, 1] y) { y = ReduceProd <axes = [1]> (x) }", kTiming), 1);
  ASSERT_TRUE(exact.has_value());
  for (const double y : exact->outputs[0].values) EXPECT_LT(std::abs(y), 0x1p22);
}

}  // namespace
}  // namespace assay
