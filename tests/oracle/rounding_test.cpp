// SPDX-License-Identifier: Apache-2.0
// Models that round after each operator, and casts to 8 bits.
#include "assay/oracle/rounding.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "model.h"

namespace assay::oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Graph rounding_model(const std::string& text) {
  return spec::parse_model(text, 17, {"task.yaml", 1, 0}, spec::ModelChecks::all, ElementType::bf16);
}

Input halves(Shape shape, std::vector<double> elements) { return {ElementType::bf16, std::move(shape), std::move(elements)}; }

const char* const kSum = "f (bfloat16[N] a, bfloat16[N] b, bfloat16[N] c) => (bfloat16[N] y) { s = Add(a, b) y = Sub(s, c) }";

TEST(Rounding, FollowsEachOperator) {
  // 256 + 1 is 257, which becomes 256; without that rounding 257 - 256 is 1.
  const std::vector<Input> inputs = {halves({1}, {256}), halves({1}, {1}), halves({1}, {256})};
  expect_model(rounding_model(kSum), inputs, {halves({1}, {0})});
  const RoundingScope none(Rounding::none);
  expect_model(rounding_model(kSum), inputs, {halves({1}, {1})});
}

TEST(Rounding, IsThereOnlyWhereTheModelSaysSo) {
  expect_model(model(kSum), {halves({1}, {256}), halves({1}, {1}), halves({1}, {256})}, {halves({1}, {1})});
}

TEST(Rounding, LeavesOtherTypesAlone) {
  const Graph graph =
      rounding_model("f (bfloat16[N] a, bfloat16[N] b) => (float[N] y) { u = Cast <to = 1> (a) v = Cast <to = 1> (b) y = Add(u, v) }");
  expect_model(graph, {halves({1}, {256}), halves({1}, {1})}, {reals({1}, {257})});
}

TEST(Rounding, FollowsOperatorsOfABody) {
  // From left to right each sum is rounded: 256 stays, whatever number of ones is added.
  const Graph graph = rounding_model(
      "f (bfloat16 start, bfloat16[N] x) => (bfloat16 y)\n"
      "{ y = Scan <num_scan_inputs = 1, body = step (bfloat16 s, bfloat16 e) => (bfloat16 t) { t = Add(s, e) }> (start, x) }");
  expect_model(graph, {halves({}, {256}), halves({3}, {1, 1, 1})}, {halves({}, {256})});
}

TEST(Rounding, OfSomePlacesIsChosenAnew) {
  const Graph graph = rounding_model(
      "f (bfloat16[N] a, bfloat16[N] b) => (bfloat16[N] y) { s = Add(a, b) t = Add(s, b) u = Add(t, b) v = Add(u, b) w = Add(v, b) y = "
      "Sub(w, a) }");
  const RoundingScope some(Rounding::some);
  std::set<double> seen;
  for (int i = 0; i < 40; ++i) seen.insert(elements(run<float>(graph, {halves({1}, {256}), halves({1}, {1})})[0])[0]);
  EXPECT_GT(seen.size(), 2u);
}

/// How far from the model's number a kernel may be, over MovedScope.
double moved(const Graph& graph, const std::vector<Input>& inputs) {
  const MovedScope scope;
  const auto outputs = run<Bounded>(graph, inputs);
  return std::get<Tensor<Bounded>>(outputs[0].elements)[0].error * kMovedUnits * kRoundoff;
}

TEST(Moved, IsNothingWhereAllIsExact) {
  EXPECT_EQ(moved(rounding_model("f (bfloat16[N] a) => (bfloat16[N] y) { b = Neg(a) y = Relu(b) }"), {halves({1}, {-3})}), 0);
}

TEST(Moved, HoldsWhatKernelsMayGive) {
  // The model: 256 + 2.5 = 258.5 becomes 258, less 250 is 8. Without the rounding it is 8.5.
  const double by = moved(rounding_model(kSum), {halves({1}, {256}), halves({1}, {2.5}), halves({1}, {250})});
  EXPECT_GE(by, 0.5);
  EXPECT_LT(by, 0.6);
}

TEST(Moved, OfOneOperatorIsItsOwnRounding) {
  const Graph sum = rounding_model("f (bfloat16[N] a, bfloat16[N] b) => (bfloat16[N] y) { y = Add(a, b) }");
  const double by = moved(sum, {halves({1}, {260}), halves({1}, {0.5})});  // 260.5 becomes 260; the neighbours are 258 and 262
  EXPECT_GE(by, 0.5);
  EXPECT_LT(by, 1);
  EXPECT_EQ(moved(sum, {halves({1}, {260}), halves({1}, {1})}), 2);  // float32's errors decide in the middle
}

TEST(CastTo8Bits, SaturatesUnlessItIsToldNotTo) {
  const auto cast = [](int to) { return OneNode("Cast").opset(19).with("to", to); };
  const double nan = std::nan("");
  const Input x = reals({7}, {17, 19, 1000, -kInfinity, nan, 0x1p-10, 464.5});
  expect(cast(17), {x}, {7}, {16, 20, 448, -448, nan, 0, 448});
  expect(cast(17).with("saturate", 0), {x}, {7}, {16, 20, nan, nan, nan, 0, nan});
  const Input wide = reals({4}, {9, 61439, 61440, -kInfinity});
  expect(cast(19), {wide}, {4}, {8, 57344, 57344, -57344});
  expect(cast(19).with("saturate", 0), {wide}, {4}, {8, 57344, kInfinity, -kInfinity});
  expect(cast(17), {integers({2}, {17, -5000})}, {2}, {16, -448});
}

TEST(CastTo8Bits, LeavesOpenWhatErrorsDecide) {
  // The middle between 16 and 18, and a number far from any.
  const Graph graph =
      spec::parse_model("f (float[2] x) => (float8e4m3fn[2] y) { e = Log(x) y = Cast <to = 17> (e) }", 19, {"task.yaml", 1, 0});
  const auto outputs = run<Bounded>(graph, {reals({2}, {std::exp(17.0), std::exp(16.2)})});
  const auto& y = std::get<Tensor<Bounded>>(outputs[0].elements);
  EXPECT_EQ(y[0].error * kRoundoff, 2);
  EXPECT_EQ(y[1].error, 0);
}

TEST(EightBits, AreMovedAndNotComputedWith) {
  const Input x{ElementType::f8e4m3, {2, 1}, {1, 2}};
  EXPECT_EQ(elements(OneNode("Transpose").opset(19).run<double>({x})[0]), (std::vector<double>{1, 2}));
  EXPECT_THAT([&] { OneNode("Exp").opset(19).run<double>({x}); },
              testing::ThrowsMessage<OperatorError>(
                  testing::HasSubstr("input 0 is float8e4m3fn, which no operator computes with. do: cast it to float first")));
}

}  // namespace
}  // namespace assay::oracle
