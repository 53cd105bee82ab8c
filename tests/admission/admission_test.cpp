// SPDX-License-Identifier: Apache-2.0
// A sound task is admitted; each way of being a bad judge is refused with its reason.
#include "assay/admission/admission.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "written_task.h"

namespace assay::admission {
namespace {

using spec::Task;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Key;
using testing::Not;
using testing::Pair;

const char* const kDims = "dims: {N: [1, 20], K: [1, 40]}\ntiming: {cpu: {dims: {N: 256, K: 256}}}\n";

TEST(Admission, AdmitsALinearLayer) {
  const Task task = written_task("(float[N, K] x, float[K, K] w, float[K] b) => (float[N, K] y) { y = Gemm(x, w, b) }", kDims);
  const Admission admission = admit(task, 1, 3);
  EXPECT_THAT(admission.reasons(), testing::IsEmpty());
  EXPECT_TRUE(admission.admitted());
  EXPECT_EQ(admission.honest_runs, 3u);
  EXPECT_GE(admission.alterations.size(), 16u);
}

TEST(Admission, AdmitsSixteenBitModelsOnEverySeed) {
  // Some alterations move nothing but a number that lies in the middle between two of float16: that is no effect.
  const Task product = written_task(
      "(float16[N, K] a, float16[K, N] b) => (float16[N, N] c) {\n"
      "    p = Cast <to = 1> (a)\n    q = Cast <to = 1> (b)\n    r = MatMul(p, q)\n    c = Cast <to = 10> (r)\n  }",
      kDims);
  const Task scaled = written_task("(float16[N, K] x) => (float16[N, K] y) {\n    s = Sigmoid(x)\n    y = Mul(x, s)\n  }", kDims);
  for (const Task* task : {&product, &scaled})
    for (std::uint64_t seed = 1; seed <= 11; ++seed) EXPECT_THAT(admit(*task, seed, 1).reasons(), testing::IsEmpty()) << "seed " << seed;
}

TEST(Admission, AdmitsAModelOfManyLayers) {
  std::string body = "(float[N, K] x, float[K, K] w, float[K] g, float[K] s) => (float[N, K] h30) {\n    h0 = MatMul(x, w)\n";
  for (int n = 1; n <= 30; ++n)
    body += fmt::format(
        "    p{0} = MatMul(h{1}, w)\n    n{0} = LayerNormalization <axis = -1> (p{0}, g, s)\n    h{0} = LeakyRelu <alpha = 0.2> (n{0})\n",
        n, n - 1);
  const Task task =
      written_task(body + "  }",
                   "dims: {N: [2, 9], K: [8, 40]}\ntiming: {cpu: {dims: {N: 64, K: 64}}}\n"
                   "inputs: {w: {init: kaiming}, g: {init: uniform, low: 0.5, high: 1.5}, s: {init: uniform, low: -0.5, high: 0.5}}\n");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_THAT(admit(task, seed, 1).reasons(), testing::IsEmpty()) << "seed " << seed;
}

/// By name: in how many cases each alteration of a model of so many linear layers, each normalised, is rejected.
std::map<std::string, std::size_t> rejected_alterations(int layers) {
  std::string body =
      fmt::format("(float[N, K] x, float[K, K] w, float[K] g, float[K] s) => (float[N, K] n{}) {{\n    n0 = Relu(x)\n", layers);
  for (int n = 1; n <= layers; ++n)
    body += fmt::format("    p{0} = MatMul(n{1}, w)\n    n{0} = LayerNormalization <axis = -1, epsilon = 0.0009> (p{0}, g, s)\n", n, n - 1);
  const Task task = written_task(body + "  }", std::string(kDims) +
                                                   "inputs: {w: kaiming, g: {init: uniform, low: 0.5, high: 1.5}}\n"
                                                   "replace_cases: one is enough\ncases: [{name: plain, dims: {N: 5, K: 12}}]\n");
  std::map<std::string, std::size_t> rejected;
  for (const AlterationResult& alteration : admit(task, 1, 1).alterations) rejected[alteration.name] = alteration.rejected;
  return rejected;
}

TEST(Admission, AltersANumberOfADeepModelInAllNodesAtOnce) {
  const auto shallow = rejected_alterations(8), deep = rejected_alterations(9);
  EXPECT_THAT(shallow, IsSupersetOf({Pair("LayerNormalization (n3) by the unbiased variance", 1),
                                     Pair("epsilon of LayerNormalization (n3) ten times as large", 1)}));
  EXPECT_THAT(shallow, Each(Key(Not(HasSubstr("all 8 ")))));
  EXPECT_THAT(
      deep, IsSupersetOf({Pair("all 9 LayerNormalization by the unbiased variance", 1),
                          Pair("epsilon of all 9 LayerNormalization ten times as large", 1), Pair("LayerNormalization (n3) skipped", 1)}));
  EXPECT_THAT(deep, Each(Key(Not(HasSubstr("(n3) by the unbiased variance")))));
}

TEST(Admission, RefusesAnOutputThatDoesNotDependOnAnInput) {
  const Task task = written_task("(float[N, K] x, float[N, K] unused) => (float[N, K] y) { y = Relu(x) }", kDims);
  EXPECT_THAT(admit(task, 1, 1).reasons(), Contains(HasSubstr("input 'unused' ignored (zero): has no effect")));
}

TEST(Admission, RefusesAConstantOutput) {
  const Task task = written_task("(float[N, K] x) => (float[N, K] y) { z = Sub(x, x)  y = Abs(z) }",
                                 std::string(kDims) + "replace_cases: special values would make a NaN\ncases: [{name: plain}]\n");
  const Admission admission = admit(task, 1, 1);
  EXPECT_FALSE(admission.admitted());
  EXPECT_THAT(admission.reasons(), Contains(HasSubstr("input 'x' ignored")));
}

TEST(Admission, RefusesABoundThatLetsLowPrecisionPass) {
  Task task = written_task("(float[N, K] x) => (float[N, K] y) { y = Exp(x) }",
                           std::string(kDims) + "replace_cases: exact ones would show it\ncases: [{name: plain}]\n");
  task.bound_factors["y"] = 100000;  // more than task.yaml may say
  EXPECT_THAT(admit(task, 1, 1).reasons(), Contains(HasSubstr("computed from bfloat16: accepted in all 1 cases")));
}

TEST(Admission, RefusesAnOperatorThatDoesNothing) {
  const Task task = written_task("(float[N, K] x) => (float[N, K] y) { z = Exp(x)  y = Relu(z) }", kDims);
  EXPECT_THAT(admit(task, 1, 1).reasons(), Contains(HasSubstr("Relu (y) skipped: has no effect in any case")));
}

TEST(Admission, TakesInfinityForTheLargestNumber) {
  const auto caught = [](const char* body) {
    const Task task = written_task(std::string("(float[N, K] x, bool[N, K] mask) => (float[N, K] y) ") + body, kDims);
    const Admission admission = admit(task, 1, 1);
    EXPECT_THAT(admission.reasons(), testing::IsEmpty()) << body;
    for (const AlterationResult& alteration : admission.alterations)
      if (alteration.name == "constant '-inf' taken for the largest number") return alteration.rejected;
    return std::size_t{1000};
  };
  EXPECT_EQ(caught("{ y = Where(mask, x, -inf) }"), 1u);
  EXPECT_EQ(caught("{\n    low = Where(mask, x, -inf)\n    positive = Relu(low)\n    y = Add(x, positive)\n  }"), 0u);
}

TEST(Admission, TakesNoElementsForExtents) {
  // A skipped Shape would make a tensor of as many elements as the product of x: minutes, and all of the memory.
  const Task task = written_task(
      "(int64[N] x) => (int64[N] y) {\n    n = Shape(x)\n    ones = ConstantOfShape <value = int64[1] {1}> (n)\n    y = Add(x, ones)\n  }",
      "dims: {N: [1, 40]}\ninputs: {x: {init: integer, low: 300, high: 999}}\ntiming: {cpu: {dims: {N: 65536}}}\n");
  for (const AlterationResult& alteration : admit(task, 1, 1).alterations) EXPECT_THAT(alteration.name, Not(HasSubstr("Shape (n)")));
}

/// Its skipped Cast gives other bytes of the same reals, and its skipped Unsqueeze the same rows.
TEST(Admission, LetsOperatorsChangeTypesAndShapesAlone) {
  const Task task = written_task(
      "(float[N, K] x, float[K] b) => (float[N, K] y)\n  {\n    axis = Constant <value = int64[1] {0}> ()\n"
      "    row = Unsqueeze(b, axis)\n    y = Add(x, row)\n  }",
      kDims);
  EXPECT_THAT(admit(task, 1, 1).reasons(), testing::IsEmpty());
}

TEST(Admission, RefusesAnEpsilonThatNeverMatters) {
  const std::string body =
      "(float[N, K] x) => (float[N, K] y)\n  {\n    eps = Constant <value = float {0.000000001}> ()\n"
      "    big = Constant <value = float {100.0}> ()\n    z = Add(x, big)\n    y = Add(z, eps)\n  }";
  const std::string one_case = std::string(kDims) + "replace_cases: tiny values would show it\ncases: [{name: plain}]\n";
  EXPECT_THAT(admit(written_task(body, one_case), 1, 1).reasons(), Contains(HasSubstr("constant 'eps' omitted")));
}

}  // namespace
}  // namespace assay::admission
