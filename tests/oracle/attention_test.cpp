// SPDX-License-Identifier: Apache-2.0
// Attention and its relatives. With keys of 0 all scores are 0 and each row is the mean of the values that it
// sees.
#include "error_scale.h"
#include "numbers.h"

namespace assay::oracle {
namespace {

OneNode attention(std::size_t outputs = 1) { return OneNode("Attention", outputs).opset(24); }

const Input kQuery = reals({1, 1, 2, 1}, {1, 2});
const Input kNoKey = reals({1, 1, 3, 1}, {0, 0, 0});
const Input kValue = reals({1, 1, 3, 1}, {3, 6, 9});

TEST(Attention, WeighsValuesByTheSoftmaxOfScaledScores) {
  // Scores q k / sqrt(4): the row 2 0 0 0 against keys 0 and ln(3) e1 gives 0 and ln 3, so weights 1/4 and
  // 3/4.
  const Input q = reals({1, 1, 1, 4}, {2, 0, 0, 0}), k = reals({1, 1, 2, 4}, {0, 0, 0, 0, std::log(3.0), 0, 0, 0});
  expect(attention(), {q, k, reals({1, 1, 2, 1}, {4, 8})}, {1, 1, 1, 1}, {7});
  expect(attention().with("scale", 0.0), {q, k, reals({1, 1, 2, 1}, {4, 8})}, {1, 1, 1, 1}, {6});
}

TEST(Attention, MasksByPositionLengthAndMask) {
  const std::vector<Input> plain = {kQuery, kNoKey, kValue};
  expect(attention(), plain, {1, 1, 2, 1}, {6, 6});
  expect(attention().with("is_causal", 1), plain, {1, 1, 2, 1}, {3, 4.5});
  expect(attention(), {kQuery, kNoKey, kValue, booleans({2, 3}, {1, 0, 1, 0, 1, 1})}, {1, 1, 2, 1}, {6, 7.5});
  // Adding ln 2 to a score doubles its weight: (3 + 2 * 6 + 9) / 4.
  expect(attention(), {kQuery, kNoKey, kValue, reals({1, 3}, {0, std::log(2.0), 0})}, {1, 1, 2, 1}, {6, 6});
  expect(attention(), {kQuery, kNoKey, kValue, omitted(), omitted(), omitted(), integers({1}, {2})}, {1, 1, 2, 1}, {4.5, 4.5});
  // Causal with padding: the last row of two sees all of the 2 columns, the row before it one less.
  expect(attention().with("is_causal", 1), {kQuery, kNoKey, kValue, omitted(), omitted(), omitted(), integers({1}, {2})}, {1, 1, 2, 1},
         {3, 4.5});
  // A mask of two columns hides the third.
  expect(attention(), {kQuery, kNoKey, kValue, reals({2, 2}, {0, 0, 0, 0})}, {1, 1, 2, 1}, {4.5, 4.5});
}

TEST(Attention, AHiddenRowIsZeroAndHiddenNaNDoesNotShow) {
  expect(attention(), {kQuery, kNoKey, kValue, booleans({2, 3}, {0, 0, 0, 1, 1, 1})}, {1, 1, 2, 1}, {0, 6});
  expect(attention(), {kQuery, reals({1, 1, 3, 1}, {0, 0, kNaN}), kValue, booleans({1, 3}, {1, 1, 0})}, {1, 1, 2, 1}, {4.5, 4.5});
}

TEST(Attention, CapsScoresBeforeTheMask) {
  const Input q = reals({1, 1, 1, 1}, {1}), k = reals({1, 1, 2, 1}, {0, 8}), v = reals({1, 1, 2, 1}, {0, 1});
  const double capped = 2 * std::tanh(4.0), weight = std::exp(capped) / (1 + std::exp(capped));
  expect(attention().with("softcap", 2.0), {q, k, v}, {1, 1, 1, 1}, {weight});
  expect(attention().with("softcap", 2.0), {q, k, v, booleans({1, 2}, {1, 0})}, {1, 1, 1, 1}, {0});
}

TEST(Attention, ShowsItsScoresAtEachStage) {
  const std::vector<Input> inputs = {reals({1, 1, 1, 1}, {1}), reals({1, 1, 2, 1}, {0, 8}), reals({1, 1, 2, 1}, {0, 1}),
                                     booleans({1, 2}, {1, 0})};
  const OneNode node = attention(4).with("softcap", 2.0);
  expect(node, inputs, {1, 1, 1, 2}, {0, 8}, 3);
  expect(node.with("qk_matmul_output_mode", 1), inputs, {1, 1, 1, 2}, {0, 2 * std::tanh(4.0)}, 3);
  expect(node.with("qk_matmul_output_mode", 2), inputs, {1, 1, 1, 2}, {0, -kInf}, 3);
  expect(node.with("qk_matmul_output_mode", 3), inputs, {1, 1, 1, 2}, {1, 0}, 3);
}

TEST(Attention, SharesKeysAmongNeighbouringHeadsAndReadsPackedHeads) {
  // Two query heads, one key head; [B, L, H D] has head 1 in column 1.
  const OneNode grouped = attention().with("q_num_heads", 2).with("kv_num_heads", 1);
  const double e = std::exp(1.0), one = e / (1 + e), two = e * e / (1 + e * e);
  expect(grouped, {reals({1, 1, 2}, {1, 2}), reals({1, 2, 1}, {0, 1}), reals({1, 2, 1}, {0, 1})}, {1, 1, 2}, {one, two});
  expect(attention(), {reals({1, 2, 1, 1}, {1, 2}), reals({1, 1, 2, 1}, {0, 1}), reals({1, 1, 2, 1}, {0, 1})}, {1, 2, 1, 1}, {one, two});
}

TEST(Attention, PutsThePastInFront) {
  const std::vector<Input> inputs = {reals({1, 1, 1, 1}, {1}), reals({1, 1, 1, 1}, {0}), reals({1, 1, 1, 1}, {4}), omitted(),
                                     reals({1, 1, 1, 1}, {0}), reals({1, 1, 1, 1}, {2})};
  expect(attention(3).with("is_causal", 1), inputs, {1, 1, 1, 1}, {3});
  expect(attention(3), inputs, {1, 1, 2, 1}, {0, 0}, 1);
  expect(attention(3), inputs, {1, 1, 2, 1}, {2, 4}, 2);
}

TEST(Attention, RefusesWhatDoesNotFit) {
  EXPECT_THROW(attention().run<double>({reals({1, 2, 3}, {1, 2, 3, 4, 5, 6}), kNoKey, kValue}), OperatorError);
  EXPECT_THROW(attention().run<double>({kQuery, reals({1, 1, 2, 1}, {0, 0}), kValue}), OperatorError);
  EXPECT_THROW(attention().run<double>({kQuery, kNoKey, kValue, booleans({3, 3}, std::vector<double>(9, 1))}), OperatorError);
  EXPECT_THROW(attention().with("qk_matmul_output_mode", 4).run<double>({kQuery, kNoKey, kValue}), OperatorError);
}

TEST(Attention, HasAnHonestErrorScale) {
  expect_honest_scale(attention(), {normal({2, 4, 8, 16}, 1), normal({2, 2, 40, 16}, 2), normal({2, 2, 40, 16}, 3)});
}

TEST(Attention, CostsTwoProductsAndASoftmax) {
  Cost cost;
  attention().run<double>({normal({2, 4, 8, 16}, 1), normal({2, 2, 40, 16}, 2), normal({2, 2, 40, 12}, 3)}, &cost);
  EXPECT_EQ(cost.flops, 2.0 * 4 * 8 * 40 * (2 * 16 + 2 * 12 + 5));
  EXPECT_EQ(cost.bytes, 4.0 * (2 * 4 * 8 * 16 + 2 * 2 * 40 * (16 + 12) + 2 * 4 * 8 * 12));
}

TEST(RotaryEmbedding, TurnsHalvesOrNeighbours) {
  // A quarter turn at position 1: (x1, x2) becomes (-x2, x1).
  const Input x = reals({1, 1, 1, 4}, {1, 2, 3, 4}), cosines = reals({2, 2}, {1, 1, 0, 0}), sines = reals({2, 2}, {0, 0, 1, 1});
  const OneNode node = OneNode("RotaryEmbedding").opset(23);
  expect(node, {x, cosines, sines, integers({1, 1}, {1})}, {1, 1, 1, 4}, {-3, -4, 1, 2});
  expect(node, {x, cosines, sines, integers({1, 1}, {0})}, {1, 1, 1, 4}, {1, 2, 3, 4});
  expect(node.with("interleaved", 1), {x, cosines, sines, integers({1, 1}, {1})}, {1, 1, 1, 4}, {-2, 1, -4, 3});
}

TEST(RotaryEmbedding, TurnsOnlyTheFirstElementsOfPackedHeads) {
  const OneNode node = OneNode("RotaryEmbedding").opset(23).with("num_heads", 2).with("rotary_embedding_dim", 2);
  // Caches by token: token 0 stays, token 1 turns by a quarter.
  const Input x = reals({1, 2, 6}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  expect(node, {x, reals({1, 2, 1}, {1, 0}), reals({1, 2, 1}, {0, 1})}, {1, 2, 6}, {1, 2, 3, 4, 5, 6, -2, 1, 3, -5, 4, 6});
  EXPECT_THROW(node.run<double>({x, reals({1, 2, 2}, {1, 0, 1, 0}), reals({1, 2, 2}, {0, 1, 0, 1})}), OperatorError);
}

TEST(LinearAttention, ReadsAndWritesItsStateByTheRule) {
  // One head of depth 1: output_t = scale q S_t.
  const Input q = reals({1, 2, 1}, {1, 1}), k = reals({1, 2, 1}, {2, 2}), v = reals({1, 2, 1}, {3, 5}), past = reals({1, 1, 1, 1}, {10}),
              half = reals({1, 2, 1}, {std::log(0.5), std::log(0.5)}), beta = reals({1, 2, 1}, {1, 0.5});
  const OneNode node = OneNode("LinearAttention", 2).opset(27).with("q_num_heads", 1).with("kv_num_heads", 1).with("scale", 2.0);
  // S = 10 + 2 * 3 = 16, then 16 + 2 * 5 = 26.
  expect(node.with("update_rule", "linear"), {q, k, v, past}, {1, 2, 1}, {32, 52});
  expect(node.with("update_rule", "linear"), {q, k, v, past}, {1, 1, 1, 1}, {26}, 1);
  // S = 5 + 6 = 11, then 5.5 + 10.
  expect(node.with("update_rule", "gated"), {q, k, v, past, half}, {1, 2, 1}, {22, 31});
  // S = 10 + 2 * 1 * (3 - 20) = -24, then -24 + 2 * 0.5 * (5 + 48) = 29.
  expect(node.with("update_rule", "delta"), {q, k, v, past, omitted(), beta}, {1, 2, 1}, {-48, 58});
  // S = 5 + 2 * (3 - 10) = -9, then -4.5 + (5 + 9) = 9.5.
  expect(node, {q, k, v, past, half, beta}, {1, 2, 1}, {-18, 19});
  EXPECT_THROW(node.run<double>({q, k, v, past, half}), OperatorError);
  EXPECT_THROW(node.with("update_rule", "quadratic").run<double>({q, k, v}), OperatorError);
}

TEST(LinearAttention, SharesStatesAmongQueryHeads) {
  const OneNode node = OneNode("LinearAttention", 2).opset(27).with("q_num_heads", 2).with("kv_num_heads", 1).with("update_rule", "linear");
  expect(node, {reals({1, 1, 2}, {1, 3}), reals({1, 1, 1}, {2}), reals({1, 1, 2}, {5, 7})}, {1, 1, 4}, {10, 14, 30, 42});
}

TEST(LinearAttention, HasAnHonestErrorScale) {
  const OneNode node = OneNode("LinearAttention", 2).opset(27).with("q_num_heads", 4).with("kv_num_heads", 2);
  expect_honest_scale(node, {normal({1, 12, 64}, 1), normal({1, 12, 32}, 2, 0.1), normal({1, 12, 32}, 3), normal({1, 2, 16, 16}, 4),
                             uniform({1, 12, 32}, 5, -1, 0), uniform({1, 12, 2}, 6, 0, 1)});
}

TEST(CausalConvWithState, SlidesOverPastAndPresent) {
  const OneNode node = OneNode("CausalConvWithState", 2).opset(27);
  const Input x = reals({1, 1, 3}, {1, 2, 3}), w = reals({1, 1, 2}, {10, 1}), bias = reals({1}, {100}), past = reals({1, 1, 1}, {7});
  expect(node, {x, w}, {1, 1, 3}, {1, 12, 23});
  expect(node, {x, w, bias, past}, {1, 1, 3}, {171, 112, 123});
  expect(node, {x, w, bias, past}, {1, 1, 1}, {3}, 1);
  expect(node.with("activation", "silu"), {x, w}, {1, 1, 3},
         {1 / (1 + std::exp(-1.0)), 12 / (1 + std::exp(-12.0)), 23 / (1 + std::exp(-23.0))});
  EXPECT_THROW(node.with("activation", "relu").run<double>({x, w}), OperatorError);
}

}  // namespace
}  // namespace assay::oracle
