// SPDX-License-Identifier: Apache-2.0
// Models that round after each operator: kernels that round there, elsewhere or not at all are right, others are not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "assay/cases/expected.h"
#include "assay/spec/half.h"
#include "written_task.h"

namespace assay::cases {
namespace {

using oracle::Rounding, oracle::SumOrder;
using spec::ElementType, spec::Task;

const char* const kRest = "compute: bfloat16\ndims: {N: [1, 20000]}\ntiming: {cpu: {dims: {N: 64}}}\n";

/// The logistic function, in three steps that round.
Task logistic() {
  return written_task(
      "(bfloat16[N] x) => (bfloat16[N] y)\n  {\n    n = Neg(x)\n    e = Exp(n)\n    s = Add(e, 1)\n    y = Reciprocal(s)\n  }", kRest);
}

PreparedCase prepared(const Task& task, std::int64_t n, std::uint64_t seed = 1) {
  return prepare_case(task, "case", {{"N", n}}, draw_inputs(task, {}, {{"N", n}}, seed, "case"), kLearntOrders);
}

float half(float x) { return static_cast<float>(spec::stored_as(x, ElementType::bf16)); }
float truncated(float x) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xffff0000); }

/// What `kernel` gives for the case's input.
std::vector<Bytes> run(const PreparedCase& entry, const std::function<float(float)>& kernel) {
  Bytes out(entry.inputs[0].size());
  for (std::size_t i = 0; i < out.size(); i += 2) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, entry.inputs[0].data() + i, 2);
    bits = spec::bf16_from_double(kernel(static_cast<float>(spec::double_from_bf16(bits))));
    std::memcpy(out.data() + i, &bits, 2);
  }
  return {out};
}

TEST(Compute, ModelsNumberIsRoundedAfterEachOperator) {
  const Task task = logistic();
  const PreparedCase entry = prepared(task, 2000);
  const auto right = run(entry, [](float x) { return half(1 / half(1 + half(std::exp(-x)))); });
  std::size_t off = 0;
  for (std::size_t i = 0; i < entry.outputs[0].values.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, right[0].data() + 2 * i, 2);
    off += spec::double_from_bf16(bits) != entry.outputs[0].values[i];
  }
  EXPECT_LE(off, 2u);  // float32 decides otherwise near the middle between two numbers
  EXPECT_TRUE(compare(entry, right).accepted);
}

TEST(Compute, KernelsMayRoundLess) {
  const Task task = logistic();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PreparedCase entry = prepared(task, 20000, seed);
    const std::function<float(float)> kernels[] = {[](float x) { return half(1 / half(1 + half(std::exp(-x)))); },  // as the model says
                                                   [](float x) { return 1 / (1 + std::exp(-x)); },                  // float32 throughout
                                                   [](float x) { return 1 / half(1 + std::exp(-x)); },
                                                   [](float x) { return 1 / (1 + half(std::exp(-x))); },
                                                   [](float x) { return 0.5F + 0.5F * std::tanh(0.5F * x); }};
    for (const auto& kernel : kernels) {
      const Comparison comparison = compare(entry, run(entry, kernel));
      EXPECT_TRUE(comparison.accepted) << comparison.detail;
    }
  }
}

TEST(Compute, OtherArithmeticIsWrong) {
  const PreparedCase entry = prepared(logistic(), 2000);
  const std::function<float(float)> kernels[] = {
      [](float x) { return half(1 / half(1 + truncated(std::exp(-x)))) * 1.01F; },                    // one per cent
      [](float x) { return truncated(1 / truncated(1 + truncated(std::exp(-x)))); },                  // towards zero
      [](float x) { return 1 / (1 + static_cast<float>(spec::rounded_to(std::exp(-x), 6, -126))); },  // six bits between
      [](float x) { return 1 / (1 + std::exp(-x * 1.02F)); }, [](float x) { return std::max(0.0F, std::min(1.0F, 0.5F + 0.25F * x)); }};
  for (const auto& kernel : kernels) EXPECT_FALSE(compare(entry, run(entry, kernel)).accepted);
}

TEST(Compute, OneOperatorIsToBeRoundedRight) {
  const Task task = written_task("(bfloat16[N] x) => (bfloat16[N] y)\n  { y = Mul(x, 0.3) }", kRest);
  const PreparedCase entry = prepared(task, 2000);
  const float factor = half(0.3F);
  EXPECT_TRUE(compare(entry, run(entry, [=](float x) { return factor * x; })).accepted);
  EXPECT_FALSE(compare(entry, run(entry, [=](float x) { return truncated(factor * x); })).accepted);
  EXPECT_FALSE(compare(entry, run(entry, [=](float x) { return 0.3F * x; })).accepted);  // not the model's constant
}

TEST(Compute, ScalingFirstIsRightWhereTheModelOverflows) {
  const Task task = written_task("(float16[N] x) => (float16[N] y)\n  {\n    p = Mul(x, 6)\n    y = Div(p, 6)\n  }",
                                 "compute: float16\ndims: {N: [1, 20]}\ntiming: {cpu: {dims: {N: 64}}}\n");
  Bytes x(4);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint16_t bits = spec::f16_from_double(i == 0 ? 60000 : 3);
    std::memcpy(x.data() + 2 * i, &bits, 2);
  }
  for (const auto& orders : {kLearntOrders, std::vector<SumOrder>()}) {
    const PreparedCase entry = prepare_case(task, "case", {{"N", 2}}, {x}, orders);
    EXPECT_TRUE(compare(entry, {x}).accepted);
    Bytes wrong = x;
    wrong[2] ^= std::byte{8};
    EXPECT_FALSE(compare(entry, {wrong}).accepted);
  }
}

TEST(Compute, HonestEvaluationsAreThoseOfTheModelAndOfFloat32) {
  const Task task = logistic();
  const PreparedCase entry = prepared(task, 2000);
  const auto every = evaluate_honestly(task, entry, SumOrder::strided),
             none = evaluate_honestly(task, entry, SumOrder::strided, Rounding::none),
             some = evaluate_honestly(task, entry, SumOrder::strided, Rounding::some);
  EXPECT_NE(every, none);
  EXPECT_NE(every, some);
  EXPECT_EQ(none, run(entry, [](float x) { return 1 / (1 + std::exp(-x)); }));
  for (const auto& outputs : {every, none, some}) EXPECT_TRUE(compare(entry, outputs).accepted);
}

}  // namespace
}  // namespace assay::cases
