// SPDX-License-Identifier: Apache-2.0
// Functions with steps over Bounded: where the error of the argument reaches a step, the jump is part of the
// error scale, and integers and booleans are open. Exact arguments leave nothing open, ties included.
#include "model.h"

namespace assay::oracle {
namespace {

constexpr double kHalfPlace = 0x1p-24;

/// Evaluates nodes on the sum a + b, whose error is about |a + b| u: 1e6 - 1e6 + x is x with an error of 1e6
/// u or more.
Graph after_sum(const std::string& node, const std::string& type = "float", const std::string& shape = "N") {
  return model("f (float[N] big, float[N] x) => (" + type + "[" + shape + "] y) { far = Add(x, big) near = Sub(far, big) y = " + node +
               " }");
}

std::vector<Bounded> scaled(const Graph& graph, const std::vector<double>& x, double big = 1e4) {
  const auto count = static_cast<std::int64_t>(x.size());
  const auto outputs = run<Bounded>(graph, {reals({count}, std::vector<double>(x.size(), big)), reals({count}, x)});
  const auto& y = std::get<Tensor<Bounded>>(outputs[0].elements);
  return {y.begin(), y.end()};
}

std::vector<std::uint8_t> opens(const Graph& graph, const std::vector<double>& x, double big = 1e4) {
  const auto count = static_cast<std::int64_t>(x.size());
  const auto outputs = run<Bounded>(graph, {reals({count}, std::vector<double>(x.size(), big)), reals({count}, x)});
  return outputs[0].open.empty() ? std::vector<std::uint8_t>(x.size(), 0) : outputs[0].open;
}

TEST(Steps, RoundingsCountTheJumpWhereTheErrorReachesIt) {
  for (const char* name : {"Floor", "Ceil"}) {
    const auto y = scaled(after_sum(std::string(name) + "(near)"), {2.0001, 2.5, 1.9999});
    EXPECT_EQ(y[0].error, 1 / kHalfPlace) << name;
    EXPECT_EQ(y[1].error, 0) << name;
    EXPECT_EQ(y[2].error, 1 / kHalfPlace) << name;
  }
  const auto rounds = scaled(after_sum("Round(near)"), {2.5, 2.4});
  EXPECT_EQ(rounds[0].error, 1 / kHalfPlace);
  EXPECT_EQ(rounds[1].error, 0);
  const auto signs = scaled(after_sum("Sign(near)"), {0.0001, -3});
  EXPECT_EQ(signs[0].error, 2 / kHalfPlace);
  EXPECT_EQ(signs[1].error, 0);
}

TEST(Steps, AnInfinityIsUnknownWhereTheArgumentMayBeTheOther) {
  // The terms overflow float32 in some order, to an infinity of either sign or a NaN; the sum itself overflows bfloat16 alone.
  const Graph cast = model("f (float[N] x) => (bfloat16[1] y) { s = ReduceSum(x) y = Cast <to = 16> (s) }");
  const auto either = run<Bounded>(cast, {reals({3}, {3.4e38, -3.4e38, 3.4e38})});
  EXPECT_TRUE(std::isinf(std::get<Tensor<Bounded>>(either[0].elements).begin()->error));
  const Graph of_one = model("f (float[N] x) => (bfloat16[N] y) { y = Cast <to = 16> (x) }");
  const auto certain = run<Bounded>(of_one, {reals({1}, {3.4e38})});
  const Bounded infinite = *std::get<Tensor<Bounded>>(certain[0].elements).begin();
  EXPECT_TRUE(std::isinf(infinite.value));
  EXPECT_EQ(infinite.error, 0);
}

TEST(Steps, ExactArgumentsAreNeverInDoubt) {
  const Graph floor = model("f (float[N] x) => (float[N] y) { y = Floor(x) }");
  const auto outputs = run<Bounded>(floor, {reals({3}, {2, 2.9999999, -1})});
  for (const Bounded& y : std::get<Tensor<Bounded>>(outputs[0].elements)) EXPECT_EQ(y.error, 0);
  const Graph equal = model("f (float[N] x) => (bool[N] y) { y = Equal(x, x) }");
  EXPECT_TRUE(run<Bounded>(equal, {reals({2}, {1, 2})})[0].open.empty());
}

TEST(Steps, AnHonestFloatStaysWithinTheScale) {
  // Over float the sum is rounded, so that 1.99999 + 1e4 - 1e4 is 2 and its floor jumps; one jump is one
  // unit.
  const Graph floor = after_sum("Floor(near)");
  const std::vector<double> x = {1.99999, 2.00001, 2.7};
  const Input big = reals({3}, {1e4, 1e4, 1e4});
  const auto exact = elements(run<double>(floor, {big, reals({3}, x)})[0]);
  const auto honest = elements(run<float>(floor, {big, reals({3}, x)})[0]);
  const auto y = scaled(floor, x);
  EXPECT_NE(exact[0], honest[0]);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(std::abs(exact[i] - honest[i]), kHalfPlace * y[i].error) << i;
}

TEST(Steps, ShrinksAndThresholdsJump) {
  const auto relu = scaled(after_sum("ThresholdedRelu <alpha = 1.0> (near)"), {1.0001, 0.9999, 3});
  EXPECT_NEAR(relu[0].error * kHalfPlace, 1, 0.01);
  EXPECT_NEAR(relu[1].error * kHalfPlace, 1, 0.01);
  EXPECT_LT(relu[2].error * kHalfPlace, 0.01);
  const auto shrink = scaled(after_sum("Shrink <lambd = 1.0, bias = 0.0> (near)"), {1.0001, -1.0001, 0.5});
  EXPECT_NEAR(shrink[0].error * kHalfPlace, 1, 0.01);
  EXPECT_NEAR(shrink[1].error * kHalfPlace, 1, 0.01);
  EXPECT_EQ(shrink[2].error, 0);
}

TEST(Steps, ModJumpsByTheDivisor) {
  const auto y = scaled(after_sum("Mod <fmod = 1> (near, big)"), {3}, 1e4);
  EXPECT_LT(y[0].error * kHalfPlace, 1);
  const Graph mod = model("f (float[1] x, float[1] d) => (float[1] y) { a = Add(x, d) b = Sub(a, d) y = Mod <fmod = 1> (b, d) }");
  const auto outputs = run<Bounded>(mod, {reals({1}, {5}), reals({1}, {2.5})});
  EXPECT_GE(std::get<Tensor<Bounded>>(outputs[0].elements)[0].error * kHalfPlace, 2.5);
}

TEST(Steps, ComparisonsAreOpenWithinTheErrors) {
  const Graph less = model(
      "f (float[N] big, float[N] x) => (bool[N] y) { far = Add(x, big) near = Sub(far, big) one = Constant "
      "<value = float {1.0}> () "
      "y = Less(near, one) }");
  EXPECT_EQ(opens(less, {1.0001, 0.9999, 1.5, 0.5}), (std::vector<std::uint8_t>{1, 1, 0, 0}));
}

TEST(Steps, WhatAnOpenConditionChoosesMayBeEither) {
  const Graph where = model(
      "f (float[N] big, float[N] x) => (float[N] y) { far = Add(x, big) near = Sub(far, big) one = Constant "
      "<value = float {1.0}> () "
      "two = Constant <value = float {2.0}> () less = Less(near, one) not = Not(less) y = Where(not, one, "
      "two) }");
  const auto y = scaled(where, {1.0001, 1.5});
  EXPECT_EQ(y[0].error, 1 / kHalfPlace);
  EXPECT_EQ(y[1].error, 0);
}

TEST(Steps, NothingIsKnownWhereAnOpenConditionChoosesAnInfinityOrNot) {
  for (const char* branches : {"lowest, one", "one, lowest"}) {
    const Graph where = model(
        "f (float[N] big, float[N] x) => (float[N] y) { far = Add(x, big) near = Sub(far, big) one = Constant <value = float {1.0}> () "
        "zero = Constant <value = float {0.0}> () finite = Neg(one) lowest = Div(finite, zero) less = Less(near, one) y = Where(less, " +
        std::string(branches) + ") }");
    const auto y = scaled(where, {1.0001, 0.9999, 1.5, 0.5});
    for (const std::size_t open : {0, 1}) EXPECT_TRUE(std::isinf(y[open].error)) << branches;
    for (const std::size_t decided : {2, 3}) EXPECT_EQ(y[decided].error * kHalfPlace < 1, true) << branches;
  }
}

TEST(Steps, CastsAndQuantisedTiesAreOpenByOne) {
  EXPECT_EQ(opens(after_sum("Cast <to = 7> (near)", "int64"), {2.0001, 2.5}), (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(opens(after_sum("Cast <to = 9> (near)", "bool"), {0.0001, 2.5}), (std::vector<std::uint8_t>{1, 0}));
  const Graph there_and_back = model(
      "f (float[N] big, float[N] x) => (float[N] y) { far = Add(x, big) near = Sub(far, big) scale = "
      "Constant <value = float {0.5}> () "
      "q = QuantizeLinear(near, scale) y = DequantizeLinear(q, scale) }");
  const auto y = scaled(there_and_back, {1.2501, 1.4});
  EXPECT_NEAR(y[0].error * kHalfPlace, 0.5, 1e-6);
  EXPECT_LT(y[1].error * kHalfPlace, 1e-6);
}

TEST(Steps, AnIndexIsOpenAmongEquals) {
  const Graph arg = model(
      "f (float[N] big, float[N] x) => (int64[1] y) { far = Add(x, big) near = Sub(far, big) y = ArgMax "
      "<axis = 0> (near) }");
  const auto open_of = [&](std::vector<double> x) {
    const auto count = static_cast<std::int64_t>(x.size());
    return !run<Bounded>(arg, {reals({count}, std::vector<double>(x.size(), 1e4)), reals({count}, x)})[0].open.empty();
  };
  EXPECT_TRUE(open_of({1, 2, 2.0001}));
  EXPECT_FALSE(open_of({1, 2, 3}));
  EXPECT_FALSE(open_of({2, 2.0001, 3}));  // the largest is clear of both
}

TEST(Steps, WhatDoesNotKnowOfOpenElementsLosesAll) {
  const Graph sum = model(
      "f (float[N] big, float[N] x) => (float[1] y) { far = Add(x, big) near = Sub(far, big) whole = Cast "
      "<to = 7> (near) "
      "total = ReduceSum(whole) y = Cast <to = 1> (total) }");
  const auto run_on = [&](double x) {
    return std::get<Tensor<Bounded>>(run<Bounded>(sum, {reals({1}, {1e4}), reals({1}, {x})})[0].elements)[0].error;
  };
  EXPECT_GT(run_on(2.0001) * kHalfPlace, 0.5);
  EXPECT_EQ(run_on(2.5), 0);
}

TEST(Steps, AnUnknownErrorStaysUnknown) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Bounded unknown(1, infinity);
  EXPECT_EQ((unknown + Bounded(1)).error, infinity);
  EXPECT_EQ((unknown * Bounded(0)).error, infinity);
  EXPECT_EQ(Bounded(infinity, infinity).error, 0);
}

/// What an error in units of u lets an honest kernel be off by.
double accepted(Bounded y) { return accepted_units * kHalfPlace * y.error; }

TEST(FarArguments, AnExponentialIsAcceptedAsFarAsItGrows) {
  constexpr double kBig = 4e8;  // float's numbers are 32 apart there
  const double room = accepted(scaled(after_sum("Identity(near)"), {1}, kBig)[0]);
  ASSERT_GT(room, 100);
  EXPECT_NEAR(accepted(scaled(after_sum("Exp(near)"), {1}, kBig)[0]), std::exp(1 + room), 1e-6 * std::exp(1 + room));
  // One that is near is judged by its slope.
  const double near = accepted(scaled(after_sum("Identity(near)"), {1}, 1e4)[0]);
  EXPECT_NEAR(accepted(scaled(after_sum("Exp(near)"), {1}, 1e4)[0]), std::exp(1) * near, 1e-3 * near);
}

TEST(FarArguments, AnHonestSoftmaxStaysWithinTheScale) {
  const std::vector<double> x = {47, 0, -300};
  const std::vector<double> big = {4e8, 4e8, 4e8};
  for (const char* node : {"Softmax <axis = 0> (near)", "LogSoftmax <axis = 0> (near)", "ReduceLogSumExp(near)"}) {
    const Graph graph = after_sum(node, "float", std::string(node).starts_with("Reduce") ? "1" : "N");
    const auto exact = elements(run<double>(graph, {reals({3}, big), reals({3}, x)})[0]);
    const auto honest = elements(run<float>(graph, {reals({3}, big), reals({3}, x)})[0]);
    const auto outputs = run<Bounded>(graph, {reals({3}, big), reals({3}, x)});
    const auto& y = std::get<Tensor<Bounded>>(outputs[0].elements);
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_LE(std::abs(exact[i] - honest[i]), accepted(y[i])) << node << i;
  }
}

TEST(FarArguments, WhatIsBoundedIsAcceptedWithinItsBounds) {
  const std::vector<double> x = {47, 0, -1e7};
  const auto p = scaled(after_sum("Softmax <axis = 0> (near)"), x, 4e8);
  for (const Bounded& each : p) EXPECT_LE(accepted(each), 1.001);
  EXPECT_LT(accepted(p[2]), 1e-30);  // whatever the others are, it has no share
  const double room = accepted(scaled(after_sum("Identity(near)"), {47}, 4e8)[0]);
  for (const char* node : {"Softplus(near)", "ReduceLogSumExp(near)", "Celu(near)", "Elu(near)"})
    EXPECT_LE(accepted(scaled(after_sum(node, "float", "1"), {47}, 4e8)[0]), 1.5 * room) << node;
  EXPECT_LE(accepted(scaled(after_sum("Sigmoid(near)"), {47}, 4e8)[0]), 16.001);  // a step: one unit
}

}  // namespace
}  // namespace assay::oracle
