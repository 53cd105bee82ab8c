// SPDX-License-Identifier: Apache-2.0
// Reductions, scans, normalisations, losses and training steps: values by hand or from the ONNX
// specification.
#include <limits>

#include "numbers.h"
#include "one_node.h"

namespace assay::oracle {
namespace {

// The ONNX specification's example of the reductions.
const Input kCube = reals({3, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});

TEST(Reduce, TakesAxesFromTheAttributeOrTheInputByOpset) {
  expect(OneNode("ReduceSum").opset(11).with_list("axes", {1}), {kCube}, {3, 1, 2}, {4, 6, 12, 14, 20, 22});
  expect(OneNode("ReduceSum").opset(13), {kCube, integers({1}, {1})}, {3, 1, 2}, {4, 6, 12, 14, 20, 22});
  expect(OneNode("ReduceSum").opset(13).with("keepdims", 0), {kCube, integers({1}, {-2})}, {3, 2}, {4, 6, 12, 14, 20, 22});
  expect(OneNode("ReduceMax").opset(17).with_list("axes", {1}), {kCube}, {3, 1, 2}, {3, 4, 7, 8, 11, 12});
  expect(OneNode("ReduceMax").opset(18), {kCube, integers({1}, {1})}, {3, 1, 2}, {3, 4, 7, 8, 11, 12});
}

TEST(Reduce, ReducesAllAxesWithoutAxesUnlessToldNotTo) {
  expect(OneNode("ReduceSum"), {kCube}, {1, 1, 1}, {78});
  expect(OneNode("ReduceSum").with("keepdims", 0), {kCube}, {}, {78});
  expect(OneNode("ReduceSum").with("noop_with_empty_axes", 1), {kCube}, {3, 2, 2}, kCube.elements);
  expect(OneNode("ReduceMean"), {reals({}, {5})}, {}, {5});
}

TEST(Reduce, ReducesAxesThatAreNotNeighbours) {
  expect(OneNode("ReduceSum"), {kCube, integers({2}, {0, 2})}, {1, 2, 1}, {33, 45});
  expect(OneNode("ReduceMax").with_list("axes", {2, 0}), {kCube}, {1, 2, 1}, {10, 12});
  EXPECT_THROW(OneNode("ReduceSum").run<double>({kCube, integers({2}, {1, -2})}), OperatorError);
  EXPECT_THROW(OneNode("ReduceSum").run<double>({kCube, integers({1}, {3})}), OperatorError);
}

TEST(Reduce, WideRowsOfEveryOperator) {
  // Ten columns: whole rows are combined; three rows 0.., 1.., -2...
  std::vector<double> x;
  for (const double start : {0.0, 1.0, -2.0})
    for (int i = 0; i < 10; ++i) x.push_back(start * (i + 1));
  const Input rows = reals({3, 10}, x);
  const auto along_rows = [&](const char* name, auto by_column) {
    SCOPED_TRACE(name);
    std::vector<double> wanted;
    for (int i = 1; i <= 10; ++i) wanted.push_back(by_column(i));
    expect(OneNode(name).opset(12).with_list("axes", {0}), {rows}, {1, 10}, wanted);
  };
  along_rows("ReduceSum", [](int i) { return -1.0 * i; });
  along_rows("ReduceMean", [](int i) { return -i / 3.0; });
  along_rows("ReduceMax", [](int i) { return 1.0 * i; });
  along_rows("ReduceMin", [](int i) { return -2.0 * i; });
  along_rows("ReduceProd", [](int) { return 0.0; });
  along_rows("ReduceL1", [](int i) { return 3.0 * i; });
  along_rows("ReduceL2", [](int i) { return std::sqrt(5.0) * i; });
  along_rows("ReduceSumSquare", [](int i) { return 5.0 * i * i; });
  along_rows("ReduceLogSumExp", [](int i) { return std::log(1 + std::exp(1.0 * i) + std::exp(-2.0 * i)); });
}

TEST(Reduce, LongRowsOfEveryOperator) {
  std::vector<double> x;
  for (int i = 1; i <= 37; ++i) x.push_back(i % 2 == 0 ? i : -i);
  const Input row = reals({1, 37}, x);
  const auto whole = [&](const char* name, double wanted) {
    SCOPED_TRACE(name);
    expect(OneNode(name).opset(12).with_list("axes", {1}).with("keepdims", 0), {row}, {1}, {wanted});
  };
  whole("ReduceSum", -19);
  whole("ReduceMean", -19.0 / 37);
  whole("ReduceMax", 36);
  whole("ReduceMin", -37);
  whole("ReduceL1", 703);
  whole("ReduceSumSquare", 17575);
  whole("ReduceL2", std::sqrt(17575.0));
}

TEST(Reduce, LogSumExpSurvivesLargeArguments) {
  expect(OneNode("ReduceLogSumExp"), {reals({2}, {10000, 10000})}, {1}, {10000 + std::log(2.0)});
  expect(OneNode("ReduceLogSumExp"), {reals({2}, {-kInf, -kInf})}, {1}, {-kInf});
  expect(OneNode("ReduceLogSum"), {reals({2}, {1, 3})}, {1}, {std::log(4.0)});
}

TEST(Reduce, KeepsIntegersIntegral) {
  const Input x = integers({2, 2}, {7, 2, -3, 4}, ElementType::i32);
  const auto rows = [&](const char* name) { return OneNode(name).opset(12).with_list("axes", {1}).with("keepdims", 0); };
  expect(rows("ReduceSum"), {x}, {2}, {9, 1});
  expect(rows("ReduceMean"), {x}, {2}, {4, 0});
  expect(rows("ReduceProd"), {x}, {2}, {14, -12});
  expect(rows("ReduceMax"), {x}, {2}, {7, 4});
  expect(rows("ReduceMin"), {x}, {2}, {2, -3});
  expect(rows("ReduceL1"), {x}, {2}, {9, 7});
  expect(rows("ReduceL2"), {x}, {2}, {7, 5});
}

TEST(Reduce, EmptySetsGiveTheNeutralElement) {
  const Input none = reals({2, 0}, {});
  const auto rows = [&](const char* name) { return OneNode(name).opset(12).with_list("axes", {1}).with("keepdims", 0); };
  expect(rows("ReduceSum"), {none}, {2}, {0, 0});
  expect(rows("ReduceProd"), {none}, {2}, {1, 1});
  expect(rows("ReduceMax"), {none}, {2}, {-kInf, -kInf});
  expect(rows("ReduceMin"), {none}, {2}, {kInf, kInf});
}

TEST(Arg, TakesTheFirstOrTheLastExtreme) {
  const Input x = reals({2, 3}, {2, 2, 1, 3, 10, 10});
  expect(OneNode("ArgMax").with("axis", 1), {x}, {2, 1}, {0, 1});
  expect(OneNode("ArgMax").with("axis", 1).with("select_last_index", 1), {x}, {2, 1}, {1, 2});
  expect(OneNode("ArgMax").with("keepdims", 0), {x}, {3}, {1, 1, 1});
  expect(OneNode("ArgMin").with("axis", -1).with("keepdims", 0), {x}, {2}, {2, 0});
  expect(OneNode("ArgMin"), {integers({2, 2}, {4, 1, 4, 0})}, {1, 2}, {0, 1});
}

TEST(Scan, CumSumExclusiveAndReverse) {
  const Input x = reals({5}, {1, 2, 3, 4, 5}), axis = integers({}, {0});
  expect(OneNode("CumSum"), {x, axis}, {5}, {1, 3, 6, 10, 15});
  expect(OneNode("CumSum").with("exclusive", 1), {x, axis}, {5}, {0, 1, 3, 6, 10});
  expect(OneNode("CumSum").with("reverse", 1), {x, axis}, {5}, {15, 14, 12, 9, 5});
  expect(OneNode("CumSum").with("reverse", 1).with("exclusive", 1), {x, axis}, {5}, {14, 12, 9, 5, 0});
  expect(OneNode("CumSum"), {reals({2, 3}, {1, 2, 3, 4, 5, 6}), axis}, {2, 3}, {1, 2, 3, 5, 7, 9});
  expect(OneNode("CumSum"), {integers({2, 2}, {1, 2, 3, 4}), integers({}, {-1})}, {2, 2}, {1, 3, 3, 7});
}

TEST(Scan, WideRowsGoColumnByColumn) {
  // Nine columns of 1, 2, 4 each.
  std::vector<double> x, up, down;
  for (const double row : {1.0, 2.0, 4.0}) x.insert(x.end(), 9, row);
  for (const double row : {1.0, 3.0, 7.0}) up.insert(up.end(), 9, row);
  for (const double row : {6.0, 4.0, 0.0}) down.insert(down.end(), 9, row);
  const Input rows = reals({3, 9}, x), axis = integers({}, {0});
  expect(OneNode("CumSum"), {rows, axis}, {3, 9}, up);
  expect(OneNode("CumSum").with("reverse", 1).with("exclusive", 1), {rows, axis}, {3, 9}, down);
  expect(OneNode("ArgMax").with("keepdims", 0), {rows}, {9}, std::vector<double>(9, 2));
  expect(OneNode("LpNormalization").with("axis", 0).with("p", 1), {reals({1, 8}, {0, -2, 2, 2, 2, 2, 2, 2})}, {1, 8},
         {0, -1, 1, 1, 1, 1, 1, 1});
}

TEST(Normalization, LayerWithItsMeanAndInverseDeviation) {
  const OneNode node = OneNode("LayerNormalization", 3).with("epsilon", 0.0);
  const std::vector<Input> inputs = {reals({2, 2}, {1, 3, 10, 20}), reals({2}, {1, 2}), reals({2}, {0, 10})};
  expect(node, inputs, {2, 2}, {-1, 12, -1, 12});
  expect(node, inputs, {2, 1}, {2, 15}, 1);
  expect(node, inputs, {2, 1}, {1, 0.2}, 2);
  expect(OneNode("LayerNormalization").with("axis", 0).with("epsilon", 0.0), {reals({2, 2}, {1, 1, 3, 3}), reals({2, 2}, {1, 1, 1, 1})},
         {2, 2}, {-1, -1, 1, 1});
  expect(OneNode("RMSNormalization").with("epsilon", 0.0), {reals({2}, {3, -3}), reals({2}, {1, 2})}, {2}, {1, -2});
}

TEST(Normalization, BatchWithGivenMoments) {
  expect(OneNode("BatchNormalization").with("epsilon", 0.0),
         {reals({1, 2, 1, 2}, {1, 3, 10, 20}), reals({2}, {1, 2}), reals({2}, {0, 5}), reals({2}, {2, 10}), reals({2}, {4, 25})},
         {1, 2, 1, 2}, {-0.5, 0.5, 5, 9});
  expect(OneNode("BatchNormalization").with("epsilon", 0.0),
         {reals({2, 2}, {1, 10, 3, 20}), reals({2}, {1, 2}), reals({2}, {0, 5}), reals({2}, {2, 10}), reals({2}, {4, 25})}, {2, 2},
         {-0.5, 5, 0.5, 9});
}

TEST(Normalization, BatchInTrainingGivesRunningMoments) {
  const OneNode node = OneNode("BatchNormalization", 3).with("epsilon", 0.0).with("momentum", 0.75).with("training_mode", 1);
  const std::vector<Input> inputs = {reals({2, 1, 2}, {1, 3, 1, 3}), reals({1}, {2}), reals({1}, {1}), reals({1}, {6}), reals({1}, {5})};
  expect(node, inputs, {2, 1, 2}, {-1, 3, -1, 3});
  expect(node, inputs, {1}, {0.75 * 6 + 0.25 * 2}, 1);
  expect(node, inputs, {1}, {0.75 * 5 + 0.25 * 1}, 2);  // the population variance of the batch is 1
  EXPECT_THROW(OneNode("BatchNormalization", 3).run<double>(inputs), OperatorError);
}

TEST(Normalization, InstanceAndGroup) {
  const Input x = reals({1, 2, 2}, {1, 3, 10, 30});
  expect(OneNode("InstanceNormalization").with("epsilon", 0.0), {x, reals({2}, {1, 2}), reals({2}, {0, 1})}, {1, 2, 2}, {-1, 1, -1, 3});
  const Input flat = reals({1, 2, 2}, {1, 3, 1, 3});
  expect(OneNode("GroupNormalization").with("num_groups", 1).with("epsilon", 0.0), {flat, reals({2}, {1, 2}), reals({2}, {0, 1})},
         {1, 2, 2}, {-1, 1, -1, 3});
  const Input four = reals({1, 4, 1}, {1, 3, 10, 30});
  expect(OneNode("GroupNormalization").opset(18).with("num_groups", 2).with("epsilon", 0.0), {four, reals({2}, {1, 2}), reals({2}, {0, 1})},
         {1, 4, 1}, {-1, 1, -1, 3});
  EXPECT_THROW(OneNode("GroupNormalization").with("num_groups", 3).run<double>({four, reals({2}, {1, 2}), reals({2}, {0, 1})}),
               OperatorError);
}

TEST(Normalization, ByNormsOfNeighbours) {
  expect(OneNode("LpNormalization"), {reals({2, 2}, {3, 4, 0, 0})}, {2, 2}, {0.6, 0.8, 0, 0});
  expect(OneNode("LpNormalization").with("p", 1).with("axis", 0), {reals({2, 1}, {-1, 3})}, {2, 1}, {-0.25, 0.75});
  expect(OneNode("LRN").with("size", 3).with("alpha", 3.0).with("beta", 1.0).with("bias", 1.0), {reals({1, 3, 1}, {1, 2, 3})}, {1, 3, 1},
         {1.0 / 6, 2.0 / 15, 3.0 / 14});
  // An even window reaches one further above than below.
  expect(OneNode("LRN").with("size", 2).with("alpha", 2.0).with("beta", 1.0).with("bias", 1.0), {reals({1, 3, 1}, {1, 2, 3})}, {1, 3, 1},
         {1.0 / 6, 2.0 / 14, 3.0 / 10});
  expect(OneNode("MeanVarianceNormalization").with_list("axes", {0}), {reals({2, 2}, {1, 10, 3, 30})}, {2, 2}, {-1, -1, 1, 1}, 0, 1e-8);
}

TEST(Loss, NegativeLogLikelihoodReduces) {
  const Input x = reals({2, 3}, {-1, -2, -3, -4, -5, -6}), labels = integers({2}, {1, 2}), weights = reals({3}, {1, 2, 4});
  const OneNode node("NegativeLogLikelihoodLoss");
  expect(node, {x, labels}, {}, {4});
  expect(node.with("reduction", "sum"), {x, labels}, {}, {8});
  expect(node.with("reduction", "none"), {x, labels}, {2}, {2, 6});
  expect(node, {x, labels, weights}, {}, {(2.0 * 2 + 4 * 6) / 6});
  expect(node.with("ignore_index", 1), {x, labels}, {}, {6});
  // An ignored label need not be a class.
  expect(node.with("ignore_index", -5).with("reduction", "none"), {x, integers({2}, {-5, 0})}, {2}, {0, 4});
  EXPECT_THROW(node.run<double>({x, integers({2}, {-5, 0})}), OperatorError);
  EXPECT_THROW(node.with("reduction", "average").run<double>({x, labels}), OperatorError);
}

TEST(Loss, NegativeLogLikelihoodOverPositions) {
  const Input x = reals({1, 2, 2}, {-1, -2, -3, -4});
  expect(OneNode("NegativeLogLikelihoodLoss").with("reduction", "none"), {x, integers({1, 2}, {0, 1})}, {1, 2}, {1, 4});
}

TEST(Loss, CrossEntropyIsOfTheLogSoftmax) {
  const Input x = reals({2, 2}, {10000, 10001, 0, 0}), labels = integers({2}, {0, 1});
  const double first = std::log(1 + std::exp(1.0)), second = std::log(2.0);
  expect(OneNode("SoftmaxCrossEntropyLoss"), {x, labels}, {}, {(first + second) / 2});
  expect(OneNode("SoftmaxCrossEntropyLoss", 2), {x, labels}, {2, 2}, {-first, 1 - first, -second, -second}, 1);
}

TEST(Training, AdagradStep) {
  const OneNode node = OneNode("Adagrad", 2).domain("ai.onnx.preview.training").with("decay_factor", 0.5).with("epsilon", 0.0);
  const std::vector<Input> inputs = {reals({}, {0.5}), integers({}, {2}), reals({1}, {1}), reals({1}, {3}), reals({1}, {16})};
  expect(node, inputs, {1}, {1 - 0.25 * 3 / 5}, 0);
  expect(node, inputs, {1}, {25}, 1);
}

TEST(Training, MomentumOfTwoTensors) {
  const OneNode node =
      OneNode("Momentum", 4).domain("ai.onnx.preview.training").with("alpha", 0.5).with("beta", 0.25).with("norm_coefficient", 0.0);
  const std::vector<Input> inputs = {reals({}, {1}),  integers({}, {3}), reals({1}, {10}), reals({1}, {20}),
                                     reals({1}, {4}), reals({1}, {8}),   reals({1}, {2}),  reals({1}, {6})};
  // v1 = 0.5 * 2 + 0.25 * 4 = 2; v2 = 0.5 * 6 + 0.25 * 8 = 5.
  expect(node.with("mode", "standard"), inputs, {1}, {8}, 0);
  expect(node.with("mode", "standard"), inputs, {1}, {15}, 1);
  expect(node.with("mode", "standard"), inputs, {1}, {2}, 2);
  expect(node.with("mode", "standard"), inputs, {1}, {5}, 3);
  expect(node.with("mode", "nesterov"), inputs, {1}, {10 - (4 + 0.5 * 2)}, 0);
}

TEST(Training, AdamCorrectsTheBiasOfItsFirstSteps) {
  const OneNode node = OneNode("Adam", 3).domain("ai.onnx.preview.training").with("epsilon", 0.0).with("alpha", 0.5).with("beta", 0.75);
  const std::vector<Input> inputs = {reals({}, {0.1}), integers({}, {1}), reals({1}, {1}),
                                     reals({1}, {2}),  reals({1}, {0}),   reals({1}, {0})};
  // After one step from rest both corrections cancel the blending: x -= r * g / |g|.
  expect(node, inputs, {1}, {0.9}, 0);
  expect(node, inputs, {1}, {1}, 1);
  expect(node, inputs, {1}, {1}, 2);
  EXPECT_THROW(OneNode("Adam", 3).run<double>(inputs), OperatorError);  // the default domain has no Adam
}

TEST(Flops, CountTheReducedElements) {
  Cost cost;
  OneNode("ReduceSum").run<double>({kCube}, &cost);
  EXPECT_EQ(cost.flops, 12);
}

}  // namespace
}  // namespace assay::oracle
