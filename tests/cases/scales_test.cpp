// SPDX-License-Identifier: Apache-2.0
// Bounds of models of many layers: what honest kernels show decides, not how often the analysis was multiplied.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "assay/cases/expected.h"
#include "written_task.h"

namespace assay::cases {
namespace {

using oracle::SumOrder;
using spec::Task;

const char* const kDims = "dims: {N: [2, 9], K: [8, 40]}\ntiming: {cpu: {dims: {N: 64, K: 64}}}\n";

/// `layers` times a product with the same weights, a normalisation and a rectifier; layer `skipped` is left out, from 1 on.
Task layers(int count, int skipped = 0, const char* leak = "0.2") {
  std::string body = "(float[N, K] x, float[K, K] w, float[K] g, float[K] s) => (float[N, K] y) {\n    h0 = Identity(x)\n";
  for (int n = 1; n <= count; ++n)
    body += n == skipped ? fmt::format("    h{} = Identity(h{})\n", n, n - 1)
                         : fmt::format(
                               "    p{0} = MatMul(h{1}, w)\n    n{0} = LayerNormalization <axis = -1> (p{0}, g, s)\n"
                               "    h{0} = LeakyRelu <alpha = {2}> (n{0})\n",
                               n, n - 1, n == count / 2 ? leak : "0.2");
  return written_task(
      body + fmt::format("    y = Identity(h{})\n  }}", count),
      std::string(kDims) +
          "inputs: {w: {init: kaiming}, g: {init: uniform, low: 0.5, high: 1.5}, s: {init: uniform, low: -0.5, high: 0.5}}\n");
}

constexpr int kDeep = 32;

PreparedCase prepared_by(const Task& task, std::uint64_t seed, const std::vector<SumOrder>& orders = kLearntOrders) {
  const std::map<std::string, std::int64_t> dims = {{"N", 7}, {"K", 37}};
  return prepare_case(task, "case", dims, draw_inputs(task, {}, dims, seed, "case"), orders);
}

TEST(DeepBounds, RejectZeros) {
  const PreparedCase expected = prepared_by(layers(kDeep), 1);
  EXPECT_FALSE(compare(expected, {Bytes(expected.outputs[0].bytes(), std::byte{0})}).accepted);
}

TEST(DeepBounds, RejectASkippedLayerAndAConstantOffByOnePerCent) {
  const Task task = layers(kDeep);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PreparedCase expected = prepared_by(task, seed);
    for (const Task& wrong : {layers(kDeep, 3), layers(kDeep, kDeep / 2), layers(kDeep, kDeep), layers(kDeep, 0, "0.202")})
      EXPECT_FALSE(compare(expected, evaluate_honestly(wrong, expected, SumOrder::natural)).accepted) << "seed " << seed;
  }
}

TEST(DeepBounds, AcceptHonestEvaluationsThatTheyHaveNotSeen) {
  const Task task = layers(kDeep);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const PreparedCase expected = prepared_by(task, seed);
    for (const SumOrder order : {SumOrder::strided, SumOrder::blocked}) {
      const Comparison comparison = compare(expected, evaluate_honestly(task, expected, order));
      EXPECT_TRUE(comparison.accepted) << "seed " << seed << ": " << comparison.detail;
    }
  }
}

TEST(DeepBounds, HoldForAnotherDrawOfTheSameShape) {
  // As at timing shapes: the scales are the draw's own, the bounds those of another.
  const Task task = layers(kDeep);
  const PreparedCase learnt = prepared_by(task, 1, {SumOrder::natural, SumOrder::sequential});
  for (std::uint64_t seed = 2; seed <= 30; ++seed) {
    PreparedCase drawn = prepared_by(task, seed, {});
    drawn.outputs[0].max_bound = learnt.outputs[0].max_bound;
    drawn.outputs[0].rms_bound = learnt.outputs[0].rms_bound;
    EXPECT_TRUE(compare(drawn, evaluate_honestly(task, drawn, SumOrder::blocked)).accepted) << "seed " << seed;
    EXPECT_FALSE(compare(drawn, evaluate_honestly(layers(kDeep, 9), drawn, SumOrder::natural)).accepted) << "seed " << seed;
  }
}

TEST(DeepBounds, LeaveShallowModelsAsTheAnalysisHasThem) {
  const PreparedCase expected = prepared_by(layers(1), 1);
  const ExpectedTensor& y = expected.outputs[0];
  EXPECT_GE(y.max_bound, 16);
  const auto values = oracle::evaluate<oracle::Bounded>(
      layers(1).model,
      as_values<oracle::Bounded>(layers(1).model.inputs, spec::concrete_shapes(layers(1).model.inputs, expected.dims), expected.inputs));
  const auto& plain = std::get<oracle::Tensor<oracle::Bounded>>(values[0].elements);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(y.scales[i], plain[i].error);
}

/// One output element of `model` on these numbers.
PreparedCase on_numbers(const std::string& model, const std::vector<float>& x) {
  Bytes bytes(x.size() * sizeof(float));
  std::memcpy(bytes.data(), x.data(), bytes.size());
  const Task task = written_task(model, "dims: {N: [1, 20]}\ntiming: {cpu: {dims: {N: 64}}}\n");
  return prepare_case(task, "case", {{"N", static_cast<std::int64_t>(x.size())}}, {bytes}, kLearntOrders);
}

TEST(HiddenOverflow, IsNotJudgedBehindWhatChoosesBetweenNumbers) {
  // ((x + x) - x) - x - x: float32 overflows at the first sum, and no other order need do so.
  const std::string sum = "(float[N] x) => (float[N] y) { a = Add(x, x)  b = Sub(x, a)  c = Sub(b, x)  d = Add(c, x)  ";
  for (const char* choice :
       {"y = Relu(d) }", "z = Constant <value = float {0}> ()  o = Constant <value = float {1}> ()  y = Clip(d, z, o) }",
        "z = Constant <value = float {0}> ()  y = Max(d, z) }",
        "z = Constant <value = float {0}> ()  n = Less(d, z)  y = Where(n, z, d) }"}) {
    const PreparedCase expected = on_numbers(sum + choice, {3e38f, 1});
    EXPECT_EQ(expected.outputs[0].values[0], 0) << choice;
    EXPECT_TRUE(std::isinf(expected.outputs[0].scales[0])) << choice;
    EXPECT_FALSE(std::isinf(expected.outputs[0].scales[1])) << choice;
  }
}

}  // namespace
}  // namespace assay::cases
