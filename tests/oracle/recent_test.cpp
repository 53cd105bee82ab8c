// SPDX-License-Identifier: Apache-2.0
// Operators of opsets 24 to 28 that are no relatives of attention: Swish, SwiGLU, TensorScatter, CumProd,
// BitCast; and FlexAttention, whose graphs need the text syntax. Numbers by hand.
#include "error_scale.h"
#include "model.h"

namespace assay::oracle {
namespace {

TEST(Swish, IsAGatedIdentity) {
  const double gate = 2 / (1 + std::exp(-2.0)), half = 2 / (1 + std::exp(-1.0));
  expect(OneNode("Swish").opset(24), {reals({3}, {0, 2, -100})}, {3}, {0, gate, -100 / (1 + std::exp(100.0))}, 0, 1e-6);
  expect(OneNode("Swish").opset(24).with("alpha", 0.5), {reals({1}, {2})}, {1}, {half});
  expect(OneNode("SwiGLU").opset(28), {reals({2}, {2, 0}), reals({2}, {3, 5})}, {2}, {3 * gate, 0});
  expect(OneNode("SwiGLU").opset(28).with("alpha", 0.5), {reals({1}, {2}), reals({1}, {3})}, {1}, {3 * half});
  EXPECT_THROW(OneNode("SwiGLU").opset(28).run<double>({reals({2}, {1, 2}), reals({1}, {1})}), OperatorError);
  expect_honest_scale(OneNode("Swish").opset(24), {normal({4000}, 1, 3)});
  expect_honest_scale(OneNode("SwiGLU").opset(28), {normal({4000}, 1, 3), normal({4000}, 2)});
}

TEST(TensorScatter, WritesEachEntryAtItsIndex) {
  const Input cache = reals({2, 3, 1}, {1, 2, 3, 4, 5, 6}), update = reals({2, 2, 1}, {10, 20, 30, 40});
  const OneNode node = OneNode("TensorScatter").opset(24);
  expect(node, {cache, update}, {2, 3, 1}, {10, 20, 3, 30, 40, 6});
  expect(node, {cache, update, integers({2}, {1, 0})}, {2, 3, 1}, {1, 10, 20, 30, 40, 6});
  expect(node.with("mode", "circular"), {cache, update, integers({2}, {2, 1})}, {2, 3, 1}, {20, 2, 10, 4, 30, 40});
  expect(node.with("axis", 1), {integers({1, 2}, {1, 2}), integers({1, 1}, {9}), integers({1}, {1})}, {1, 2}, {1, 9});
  EXPECT_THROW(node.run<double>({cache, update, integers({2}, {2, 0})}), OperatorError);
  EXPECT_THROW(node.with("axis", 0).run<double>({cache, update}), OperatorError);
  EXPECT_THROW(node.run<double>({cache, reals({2, 4, 1}, std::vector<double>(8, 0))}), OperatorError);
}

TEST(CumProd, MultipliesAlongAnAxis) {
  const Input x = reals({2, 3}, {1, 2, 3, 4, 5, 6}), columns = integers({}, {1});
  const OneNode node = OneNode("CumProd").opset(26);
  expect(node, {x, columns}, {2, 3}, {1, 2, 6, 4, 20, 120});
  expect(node, {x, integers({}, {0})}, {2, 3}, {1, 2, 3, 4, 10, 18});
  expect(node.with("exclusive", 1), {x, columns}, {2, 3}, {1, 1, 2, 1, 4, 20});
  expect(node.with("reverse", 1), {x, columns}, {2, 3}, {6, 6, 3, 120, 30, 6});
  expect(node.with("exclusive", 1).with("reverse", 1), {x, columns}, {2, 3}, {6, 3, 1, 30, 6, 1});
  expect(node, {integers({3}, {100, 3, 2}, ElementType::i8), integers({}, {0})}, {3}, {100, 44, 88});
  expect_honest_scale(node, {uniform({16, 500}, 1, 0.99, 1.01), columns});
}

TEST(BitCast, ReadsTheBitsAsAnotherType) {
  const OneNode node = OneNode("BitCast").opset(26);
  const auto cast = [&](const Input& x, int to) { return elements(node.with("to", to).run<double>({x})[0]); };
  using List = std::vector<double>;
  EXPECT_EQ(cast(reals({3}, {1, -2, 0}), 6), (List{0x3f800000, -0x40000000, 0}));
  EXPECT_EQ(cast(integers({2}, {0x3f800000, 0x7f800000}, ElementType::i32), 1), (List{1, HUGE_VAL}));
  EXPECT_EQ(cast({ElementType::f64, {1}, {1.5}}, 7), (List{0x3ff8000000000000}));
  // Half precision: 1, the largest number, the smallest subnormal, infinity.
  const List halves = {1, 65504, 0x1p-24, HUGE_VAL}, bits = {0x3c00, 0x7bff, 1, 0x7c00};
  EXPECT_EQ(cast({ElementType::f16, {4}, halves}, 4), bits);
  EXPECT_EQ(cast(integers({4}, bits, ElementType::u16), 10), halves);
  EXPECT_EQ(cast({ElementType::bf16, {2}, {1, -2}}, 4), (List{0x3f80, 0xc000}));
  EXPECT_EQ(cast(integers({2}, {0x3f80, 0xc000}, ElementType::u16), 16), (List{1, -2}));
  EXPECT_EQ(cast(integers({1}, {-1}, ElementType::i8), 2), (List{255}));
  EXPECT_EQ(cast(booleans({2}, {1, 0}), 2), (List{1, 0}));
  EXPECT_THROW(node.with("to", 7).run<double>({reals({1}, {1})}), OperatorError);
}

TEST(FlexAttention, PassesScoresAndProbabilitiesThroughItsGraphs) {
  const auto attend = [](const std::string& attributes) {
    const Graph graph = model(
        "f (float[1, 1, 1, 1] q, float[1, 1, 2, 1] k, float[1, 1, 2, 1] v) => (float[1, 1, 1, 1] y)\n"
        "{ y = ai.onnx.preview.FlexAttention " +
            attributes + " (q, k, v) }",
        26);
    return elements(
        run<double>(graph, {reals({1, 1, 1, 1}, {1}), reals({1, 1, 2, 1}, {0, std::log(3.0)}), reals({1, 1, 2, 1}, {4, 8})})[0])[0];
  };
  EXPECT_NEAR(attend(""), 7, 1e-12);
  EXPECT_NEAR(attend("<scale = 0.0>"), 6, 1e-12);
  EXPECT_NEAR(attend("<score_mod = m (float[B, H, L, S] s) => (float[B, H, L, S] t) { t = Neg(s) }>"), 5, 1e-12);
  EXPECT_NEAR(attend("<prob_mod = m (float[B, H, L, S] p) => (float[B, H, L, S] t) { t = Add(p, p) }>"), 14, 1e-12);
  EXPECT_THROW(attend("<prob_mod = m (float[B, H, L, S] p) => (float[B, H, L] t) { t = ReduceSum <keepdims = 0> (p) }>"), OperatorError);
}

}  // namespace
}  // namespace assay::oracle
