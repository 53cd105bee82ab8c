// SPDX-License-Identifier: Apache-2.0
#include "error_scale.h"

#include <functional>

namespace assay::oracle {
namespace {

/// Drawn by the test that takes it: each test is a process of its own, and most need none of them.
using Draw = std::function<Input()>;

Draw normally(const Shape& shape, unsigned seed, double scale = 1, double mean = 0) {
  return [=] { return normal(shape, seed, scale, mean); };
}
Draw uniformly(const Shape& shape, unsigned seed, double low, double high) {
  return [=] { return uniform(shape, seed, low, high); };
}
Draw fixed(const Input& input) {
  return [=] { return input; };
}

struct ScaleCase {
  std::string name;
  OneNode node;
  std::vector<Draw> inputs;
  std::size_t output = 0;
};

void PrintTo(const ScaleCase& scale_case, std::ostream* out) { *out << scale_case.name; }

const Draw kData = normally({16, 500}, 1);
const Draw kPositive = uniformly({16, 500}, 2, 0.1, 4);
const Draw kNearOne = uniformly({16, 500}, 3, 0.9, 1.1);
const Draw kUnit = uniformly({16, 500}, 4, -0.95, 0.95);
const Draw kImages = normally({3, 8, 11, 5}, 5);
const Draw kChannel = uniformly({8}, 6, 0.5, 2);

OneNode reduction(const std::string& name) { return OneNode(name).opset(12).with_list("axes", {1}); }

const ScaleCase kCases[] = {
    {"Exp", OneNode("Exp"), {kData}},
    {"Log", OneNode("Log"), {kPositive}},
    {"LogNearOne", OneNode("Log"), {kNearOne}},
    {"Sqrt", OneNode("Sqrt"), {kPositive}},
    {"Erf", OneNode("Erf"), {kData}},
    {"Sin", OneNode("Sin"), {kData}},
    {"Cos", OneNode("Cos"), {kData}},
    {"Tan", OneNode("Tan"), {kUnit}},
    {"Asin", OneNode("Asin"), {kUnit}},
    {"Acos", OneNode("Acos"), {kUnit}},
    {"Atan", OneNode("Atan"), {kData}},
    {"Sinh", OneNode("Sinh"), {kData}},
    {"Cosh", OneNode("Cosh"), {kData}},
    {"Tanh", OneNode("Tanh"), {kData}},
    {"Asinh", OneNode("Asinh"), {kData}},
    {"Acosh", OneNode("Acosh"), {uniformly({16, 500}, 7, 1, 8)}},
    {"Atanh", OneNode("Atanh"), {kUnit}},
    {"Reciprocal", OneNode("Reciprocal"), {kPositive}},
    {"Add", OneNode("Add"), {kData, kUnit}},
    {"Mul", OneNode("Mul"), {kData, kUnit}},
    {"Div", OneNode("Div"), {kData, kPositive}},
    {"Pow", OneNode("Pow"), {kPositive, kData}},
    {"Sum", OneNode("Sum"), {kData, kUnit, kPositive}},
    {"Mean", OneNode("Mean"), {kData, kUnit, kPositive}},
    {"LeakyRelu", OneNode("LeakyRelu"), {kData}},
    {"Elu", OneNode("Elu"), {kData}},
    {"Selu", OneNode("Selu"), {kData}},
    {"Celu", OneNode("Celu").with("alpha", 2.0), {kData}},
    {"Softplus", OneNode("Softplus"), {kData}},
    {"Softsign", OneNode("Softsign"), {kData}},
    {"Sigmoid", OneNode("Sigmoid"), {kData}},
    {"HardSigmoid", OneNode("HardSigmoid"), {kData}},
    {"HardSwish", OneNode("HardSwish"), {kData}},
    {"Mish", OneNode("Mish"), {kData}},
    {"Gelu", OneNode("Gelu"), {kData}},
    {"GeluTanh", OneNode("Gelu").with("approximate", "tanh"), {kData}},
    {"Softmax", OneNode("Softmax"), {kData}},
    {"SoftmaxLarge", OneNode("Softmax"), {normally({16, 500}, 8, 30)}},
    {"SoftmaxColumns", OneNode("Softmax").with("axis", 0), {kData}},
    {"LogSoftmax", OneNode("LogSoftmax"), {kData}},
    {"LogSoftmaxShifted", OneNode("LogSoftmax"), {normally({16, 500}, 9, 1, 1000)}},
    {"LogSoftmaxColumns", OneNode("LogSoftmax").with("axis", 0), {normally({16, 500}, 9, 1, 1000)}},
    {"ReduceSum", reduction("ReduceSum"), {kData}},
    {"ReduceSumColumns", OneNode("ReduceSum").opset(12).with_list("axes", {0}), {normally({1000, 12}, 10)}},
    {"ReduceSumAll", OneNode("ReduceSum").opset(12), {normally({8, 12, 10}, 11)}},
    {"ReduceSumSplit", OneNode("ReduceSum").opset(12).with_list("axes", {0, 2}), {normally({8, 12, 10}, 11)}},
    {"ReduceMean", reduction("ReduceMean"), {kData}},
    {"ReduceL1", reduction("ReduceL1"), {kData}},
    {"ReduceL2", reduction("ReduceL2"), {kData}},
    {"ReduceSumSquare", reduction("ReduceSumSquare"), {kData}},
    {"ReduceLogSum", reduction("ReduceLogSum"), {kPositive}},
    {"ReduceLogSumExp", reduction("ReduceLogSumExp"), {kData}},
    {"ReduceProd", reduction("ReduceProd"), {kNearOne}},
    {"ReduceProdLong", OneNode("ReduceProd").opset(12).with_list("axes", {1}), {uniformly({16, 20000}, 12, 0.99, 1.01)}},
    {"CumSum", OneNode("CumSum"), {kData, fixed(integers({}, {1}))}},
    {"LayerNormalization", OneNode("LayerNormalization"), {kData, normally({500}, 13), normally({500}, 14)}},
    {"LayerNormalizationMean", OneNode("LayerNormalization", 3), {kData, normally({500}, 13), normally({500}, 14)}, 1},
    {"LayerNormalizationDeviation", OneNode("LayerNormalization", 3), {kData, normally({500}, 13), normally({500}, 14)}, 2},
    {"LayerNormalizationShifted", OneNode("LayerNormalization"), {normally({16, 500}, 15, 1, 20), normally({500}, 13)}},
    {"InstanceNormalization", OneNode("InstanceNormalization"), {kImages, kChannel, kChannel}},
    {"GroupNormalization", OneNode("GroupNormalization").with("num_groups", 4), {kImages, kChannel, kChannel}},
    {"BatchNormalization", OneNode("BatchNormalization"), {kImages, kChannel, kChannel, kChannel, kChannel}},
    {"BatchNormalizationTraining",
     OneNode("BatchNormalization", 3).with("training_mode", 1),
     {kImages, kChannel, kChannel, kChannel, kChannel}},
    {"BatchNormalizationRunningVariance",
     OneNode("BatchNormalization", 3).with("training_mode", 1),
     {kImages, kChannel, kChannel, kChannel, kChannel},
     2},
    {"MeanVarianceNormalization", OneNode("MeanVarianceNormalization"), {kImages}},
    {"RMSNormalization", OneNode("RMSNormalization"), {kData, normally({500}, 13)}},
    {"LpNormalization", OneNode("LpNormalization"), {kData}},
    {"LpNormalizationColumns", OneNode("LpNormalization").with("axis", 0), {kData}},
    {"CumSumColumns", OneNode("CumSum"), {kData, fixed(integers({}, {0}))}},
    {"ReduceLogSumExpColumns", OneNode("ReduceLogSumExp").opset(12).with_list("axes", {0}), {kData}},
    {"LRN", OneNode("LRN").with("size", 5).with("alpha", 1.0), {kImages}},
    {"CrossEntropy", OneNode("SoftmaxCrossEntropyLoss"), {normally({4, 50}, 16), fixed(integers({4}, {3, 49, 0, 7}))}},
    {"CrossEntropyNone",
     OneNode("SoftmaxCrossEntropyLoss").with("reduction", "none"),
     {normally({4, 50}, 16), fixed(integers({4}, {3, 49, 0, 7}))}},
    {"Adam",
     OneNode("Adam", 3).domain("ai.onnx.preview.training"),
     {fixed(reals({}, {0.125})), fixed(integers({}, {3})), kData, kUnit, kData, kPositive}},
};

class ErrorScale : public testing::TestWithParam<ScaleCase> {};

TEST_P(ErrorScale, BoundsTheFloatErrorAndIsNotLoose) {
  std::vector<Input> inputs;
  for (const Draw& draw : GetParam().inputs) inputs.push_back(draw());
  expect_honest_scale(GetParam().node, inputs, GetParam().output);
}

INSTANTIATE_TEST_SUITE_P(Operators, ErrorScale, testing::ValuesIn(kCases), [](const auto& tested) { return tested.param.name; });

/// f(g(x)) by hand: what one node hands to the next.
Value<Bounded> given(std::vector<Bounded> values) {
  Tensor<Bounded> tensor({static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.begin());
  return {ElementType::f32, tensor};
}

Bounded through_node(const std::string& op_type, Bounded x) {
  Graph graph;
  Node node;
  node.op_type = op_type;
  node.inputs = {"x"};
  node.outputs = {"y"};
  spec::TensorSpec input, output;
  input.name = "x";
  output.name = "y";
  graph.inputs = {input};
  graph.outputs = {output};
  graph.nodes = {node};
  return std::get<Tensor<Bounded>>(evaluate<Bounded>(graph, {given({x})})[0].elements)[0];
}

TEST(ErrorScaleAtKinks, ReluKeepsTheErrorThatReachesTheKink) {
  EXPECT_EQ(through_node("Relu", Bounded(-1e-9, 2)).error, 2);  // the kernel may have seen +1e-7
  EXPECT_EQ(through_node("Relu", Bounded(-5, 2)).error, 0);     // it may not have seen a positive number
  EXPECT_EQ(through_node("Relu", Bounded(5, 2)).error, 2);
}

TEST(ErrorScaleAtKinks, LeakyReluTakesTheSteeperBranch) {
  EXPECT_GE(through_node("LeakyRelu", Bounded(-1e-9, 2)).error, 2);
  EXPECT_LT(through_node("LeakyRelu", Bounded(-5, 2)).error, 0.1);
}

TEST(ErrorScaleAtKinks, WhatIsFlatElsewhereMayHaveRisenAllTheWay) {
  for (const auto& [name, way] : {std::pair("Sigmoid", 1.0), {"Tanh", 2.0}, {"Erf", 2.0}, {"Atan", M_PI}}) {
    SCOPED_TRACE(name);
    const double open = kFloatRoundoff * through_node(name, Bounded(-1e20, 1e30)).error;
    EXPECT_GE(open, 0.99 * way);
    EXPECT_LE(open, 1.01 * way);
    EXPECT_LT(kFloatRoundoff * through_node(name, Bounded(1e20, 1e20)).error, 1e-6);
    EXPECT_LT(kFloatRoundoff * through_node(name, Bounded(0.1, 1000)).error, 1001 * kFloatRoundoff * way);
  }
}

/// Finite terms that overflow in float32 (or do in some order), next to an infinity: honest kernels give an infinity or a NaN.
TEST(ErrorScaleOfOverflow, BesideAnInfinityNothingIsKnown) {
  const Input beside = reals({3}, {HUGE_VAL, -3e38, -3e38}), near = reals({3}, {HUGE_VAL, -3e38, 1}), ones = reals({3}, {1, 1, 1});
  const auto told = [](const OneNode& node, const std::vector<Input>& inputs) {
    const Bounded y = std::get<Tensor<Bounded>>(node.run<Bounded>(inputs)[0].elements)[0];
    return std::pair(y.value, y.error);
  };
  const std::pair infinity(HUGE_VAL, 0.0);
  EXPECT_EQ(told(OneNode("ReduceSum"), {beside}).second, HUGE_VAL);
  EXPECT_EQ(told(OneNode("ReduceSum"), {near}), infinity);
  EXPECT_EQ(told(OneNode("ReduceMean"), {beside}).second, HUGE_VAL);
  EXPECT_EQ(told(OneNode("MatMul"), {beside, ones}).second, HUGE_VAL);
  EXPECT_EQ(told(OneNode("MatMul"), {near, ones}), infinity);
  EXPECT_EQ((Bounded(-6e38, 6e38) + Bounded(HUGE_VAL)).error, HUGE_VAL);
  EXPECT_EQ((Bounded(HUGE_VAL) - Bounded(6e38, 6e38)).error, HUGE_VAL);
  EXPECT_EQ((Bounded(HUGE_VAL) - Bounded(3e38, 1)).error, 0);
}

TEST(ErrorScaleOfOverflow, SigmoidMayBeZeroWhereThePowerOverflowsInFloat) {
  const Bounded lost = through_node("Sigmoid", Bounded(-89, 0)), kept = through_node("Sigmoid", Bounded(-88, 0));
  EXPECT_GE(kFloatRoundoff * lost.error, lost.value);
  EXPECT_LT(kFloatRoundoff * kept.error, 1e-4 * kept.value);
}

/// A number beyond float32's range is an infinity in honest arithmetic, whatever becomes of it.
TEST(ErrorScaleOfOverflow, WhatAnInfinityMakesFiniteAgainIsUnknown) {
  const Bounded beyond(1e40, 0), factor(1e-10, 0), zero(0, 0);
  EXPECT_EQ((beyond * factor).error, HUGE_VAL);
  EXPECT_EQ((factor * beyond).error, HUGE_VAL);
  EXPECT_EQ((zero * beyond).error, HUGE_VAL);  // a NaN
  EXPECT_EQ((beyond / Bounded(1e10, 0)).error, HUGE_VAL);
  EXPECT_EQ(sqrt(beyond).error, HUGE_VAL);
  EXPECT_EQ(log(beyond).error, HUGE_VAL);
  EXPECT_EQ(log1p(beyond).error, HUGE_VAL);
  EXPECT_EQ(pow(beyond, Bounded(0.5, 0)).error, HUGE_VAL);
  EXPECT_LT((beyond * beyond).error, 1e81);  // an infinity either way
  EXPECT_GE(kFloatRoundoff * (Bounded(1, 0) / beyond).error, 1e-40);
  EXPECT_LT(kFloatRoundoff * (Bounded(1, 0) / Bounded(3e38, 0)).error, 1e-45);
  EXPECT_LT((Bounded(3e38, 0) * factor).error, 1e29);
}

/// (x - mean) / deviation * weight, where x is the mean but for roundings and the weight an infinity: honest kernels have either sign.
TEST(ErrorScaleOfInfinities, OfASignThatErrorsLeaveOpenAreUnknown) {
  const Bounded infinity(HUGE_VAL), open(1e-8, 1), told(-1e-3, 1), zero(0);
  EXPECT_EQ((infinity * open).error, HUGE_VAL);
  EXPECT_EQ((open * infinity).error, HUGE_VAL);
  EXPECT_EQ((infinity / open).error, HUGE_VAL);
  const auto known = [](Bounded x) { return std::pair(x.value, x.error); };
  EXPECT_EQ(known(infinity * told), std::pair(-HUGE_VAL, 0.0));
  EXPECT_EQ(known(infinity / told), std::pair(-HUGE_VAL, 0.0));
  EXPECT_EQ(known(Bounded(1) / zero), std::pair(HUGE_VAL, 0.0));
  EXPECT_TRUE(std::isnan((infinity * zero).value));
  EXPECT_EQ((infinity * zero).error, 0);
}

/// Normalised first it is 1e40, scaled first 1e37.
TEST(ErrorScaleOfOverflow, ABatchNormalisationMayScaleLast) {
  const Input none = reals({1}, {0});
  const auto error_of = [&](double scale) {
    const auto outputs = OneNode("BatchNormalization")
                             .with("epsilon", 0.0)
                             .run<Bounded>({reals({1, 1}, {1e38}), reals({1}, {scale}), none, none, reals({1}, {1e-4})});
    return bounds(outputs[0])[0];
  };
  EXPECT_EQ(error_of(1e-3), HUGE_VAL);
  EXPECT_LT(error_of(1e3), HUGE_VAL);  // an infinity either way
}

}  // namespace
}  // namespace assay::oracle
