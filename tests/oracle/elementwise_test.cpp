// SPDX-License-Identifier: Apache-2.0
// Elementwise mathematics, arithmetic, activations and logic: values by hand or from the ONNX specification.
#include <limits>

#include "numbers.h"
#include "one_node.h"

namespace assay::oracle {
namespace {

void expect_map(const OneNode& node, const std::vector<double>& x, const std::vector<double>& y) {
  expect(node, {reals({static_cast<std::int64_t>(x.size())}, x)}, {static_cast<std::int64_t>(y.size())}, y);
}

TEST(Elementwise, RoundsHalfwayCasesToEven) {
  expect_map(OneNode("Round"), {0.9, 2.5, 2.3, 1.5, -4.5, -0.5}, {1, 2, 2, 2, -4, 0});
  expect_map(OneNode("Floor"), {-1.5, 1.2, 2}, {-2, 1, 2});
  expect_map(OneNode("Ceil"), {-1.5, 1.2, 2}, {-1, 2, 2});
}

TEST(Elementwise, MapsSpecialValuesAsIeee754Does) {
  expect_map(OneNode("Exp"), {0, -kInf, kInf, kNaN}, {1, 0, kInf, kNaN});
  expect_map(OneNode("Log"), {1, 0, kInf, -1, kNaN}, {0, -kInf, kInf, kNaN, kNaN});
  expect_map(OneNode("Sqrt"), {4, 0, kInf, -1, kNaN}, {2, 0, kInf, kNaN, kNaN});
  expect_map(OneNode("Tanh"), {0, kInf, -kInf, kNaN}, {0, 1, -1, kNaN});
  expect_map(OneNode("Sigmoid"), {0, kInf, -kInf, kNaN}, {0.5, 1, 0, kNaN});
  expect_map(OneNode("Erf"), {0, kInf, -kInf, kNaN}, {0, 1, -1, kNaN});
  expect_map(OneNode("Sin"), {0, kInf, kNaN}, {0, kNaN, kNaN});
  expect_map(OneNode("Cos"), {0, kInf, kNaN}, {1, kNaN, kNaN});
  expect_map(OneNode("Reciprocal"), {4, 0, -kInf, kNaN}, {0.25, kInf, 0, kNaN});
  expect_map(OneNode("Abs"), {-2, -kInf, kNaN}, {2, kInf, kNaN});
  expect_map(OneNode("Atanh"), {0, 1, -1, 2}, {0, kInf, -kInf, kNaN});
  expect_map(OneNode("Sign"), {-3, 0, 7, -kInf}, {-1, 0, 1, -1});
}

TEST(Elementwise, SpecialValuesOfSeventeenElementsGoThroughTheVectorisedForm) {
  for (const char* name : {"Exp", "Log", "Sqrt", "Tanh", "Sigmoid", "Erf", "Sin", "Cos"}) {
    SCOPED_TRACE(name);
    std::vector<double> x;
    for (int i = 0; i < 17; ++i) x.push_back(i % 3 == 0 ? kNaN : i % 3 == 1 ? kInf : -kInf);
    const Input input = reals({17}, x);
    expect(OneNode(name), {input}, {17}, elements(OneNode(name).run<double>({input})[0]));
  }
}

TEST(Elementwise, KeepsIntegersIntegral) {
  expect(OneNode("Abs"), {integers({3}, {-4, 0, 5}, ElementType::i32)}, {3}, {4, 0, 5});
  expect(OneNode("Neg"), {integers({2}, {-4, 5}, ElementType::i8)}, {2}, {4, -5});
  expect(OneNode("Sign"), {integers({3}, {-4, 0, 5})}, {3}, {-1, 0, 1});
  expect(OneNode("Relu"), {integers({2}, {-4, 5}, ElementType::i8)}, {2}, {0, 5});
}

TEST(Arithmetic, BroadcastsBothWays) {
  expect(OneNode("Add"), {reals({2, 1}, {10, 20}), reals({3}, {1, 2, 3})}, {2, 3}, {11, 12, 13, 21, 22, 23});
  expect(OneNode("Sub"), {reals({}, {10}), reals({2, 2}, {1, 2, 3, 4})}, {2, 2}, {9, 8, 7, 6});
  expect(OneNode("Mul"), {reals({1, 3, 1}, {1, 2, 3}), reals({2, 1, 2}, {1, 10, 2, 20})}, {2, 3, 2},
         {1, 10, 2, 20, 3, 30, 2, 20, 4, 40, 6, 60});
  EXPECT_THROW(OneNode("Add").run<double>({reals({2}, {1, 2}), reals({3}, {1, 2, 3})}), OperatorError);
}

TEST(Arithmetic, WrapsIntegersToTheirWidth) {
  expect(OneNode("Add"), {integers({1}, {200}, ElementType::u8), integers({1}, {100}, ElementType::u8)}, {1}, {44});
  expect(OneNode("Mul"), {integers({1}, {100}, ElementType::i8), integers({1}, {2}, ElementType::i8)}, {1}, {-56});
  expect(OneNode("Sub"), {integers({1}, {1}, ElementType::u8), integers({1}, {2}, ElementType::u8)}, {1}, {255});
}

TEST(Arithmetic, DividesIntegersTowardsZeroAndRefusesZero) {
  expect(OneNode("Div"), {integers({3}, {7, -7, 8}), integers({3}, {2, 2, -3})}, {3}, {3, -3, -2});
  EXPECT_THROW(OneNode("Div").run<double>({integers({1}, {7}), integers({1}, {0})}), OperatorError);
  EXPECT_THROW(OneNode("Mod").run<double>({integers({1}, {7}), integers({1}, {0})}), OperatorError);
  const double lowest = -9223372036854775808.0;
  expect(OneNode("Div"), {integers({1}, {lowest}), integers({1}, {-1})}, {1}, {lowest});
  expect(OneNode("Div"), {reals({3}, {1, -1, 0}), reals({3}, {0, 0, 0})}, {3}, {kInf, -kInf, kNaN});
}

TEST(Arithmetic, ModTakesTheDivisorsSignUnlessFmod) {
  const std::vector<Input> inputs = {integers({6}, {-4, 7, 5, 4, -7, 8}), integers({6}, {2, -3, 8, -2, 3, 5})};
  expect(OneNode("Mod"), inputs, {6}, {0, -2, 5, 0, 2, 3});
  expect(OneNode("Mod").with("fmod", 1), inputs, {6}, {0, 1, 5, 0, -1, 3});
  expect(OneNode("Mod").with("fmod", 1), {reals({2}, {-4.5, 5.25}), reals({2}, {2, 3})}, {2}, {-0.5, 2.25});
  EXPECT_THROW(OneNode("Mod").run<double>({reals({1}, {1}), reals({1}, {2})}), OperatorError);
}

TEST(Arithmetic, PowMixesTypesAndKeepsTheBases) {
  expect(OneNode("Pow"), {reals({3}, {2, 3, -2}), integers({3}, {3, 2, 3})}, {3}, {8, 9, -8});
  expect(OneNode("Pow"), {integers({2}, {2, 3}), reals({2}, {0.5, 2})}, {2}, {1, 9});
  expect(OneNode("Pow"), {integers({3}, {2, -3, 2}), integers({3}, {10, 3, -1})}, {3}, {1024, -27, 0});
  expect(OneNode("Pow"), {reals({2}, {-3, kInf}), reals({}, {2})}, {2}, {9, kInf});
  expect(OneNode("Pow"), {reals({3}, {-8, 0, 4}), reals({3}, {1.0 / 3, 0, -0.5})}, {3}, {kNaN, 1, 0.5});
}

TEST(Arithmetic, FoldsAnyNumberOfInputs) {
  const std::vector<Input> inputs = {reals({3}, {3, 2, 1}), reals({3}, {1, 4, 4}), reals({1}, {2.5})};
  expect(OneNode("Max"), inputs, {3}, {3, 4, 4});
  expect(OneNode("Min"), inputs, {3}, {1, 2, 1});
  expect(OneNode("Sum"), inputs, {3}, {6.5, 8.5, 7.5});
  expect(OneNode("Mean"), {reals({2}, {3, 0}), reals({2}, {1, 3}), reals({}, {2})}, {2}, {2, 5.0 / 3});
  expect(OneNode("Max"), {reals({2}, {kNaN, 1}), reals({2}, {1, kNaN})}, {2}, {kNaN, kNaN});
  expect(OneNode("Sum"), {reals({2}, {1, 2})}, {2}, {1, 2});
}

TEST(Arithmetic, ClipTakesBoundsFromInputsOrAttributesByOpset) {
  const Input x = reals({3}, {-2, 0, 2});
  expect(OneNode("Clip"), {x, reals({}, {-1}), reals({}, {1})}, {3}, {-1, 0, 1});
  expect(OneNode("Clip"), {x, omitted(), reals({}, {1})}, {3}, {-2, 0, 1});
  expect(OneNode("Clip").opset(6).with("min", -1.0), {x}, {3}, {-1, 0, 2});
  expect(OneNode("Clip"), {integers({3}, {-20, 0, 20}, ElementType::i8), integers({}, {-5}, ElementType::i8)}, {3}, {-5, 0, 20});
  // Bounds the wrong way round: the upper one wins.
  expect(OneNode("Clip"), {x, reals({}, {1}), reals({}, {-1})}, {3}, {-1, -1, -1});
}

TEST(Arithmetic, BitShiftDropsWhatLeavesTheWidth) {
  const std::vector<Input> inputs = {integers({3}, {16, 4, 129}, ElementType::u8), integers({3}, {1, 2, 1}, ElementType::u8)};
  expect(OneNode("BitShift").with("direction", "RIGHT"), inputs, {3}, {8, 1, 64});
  expect(OneNode("BitShift").with("direction", "LEFT"), inputs, {3}, {32, 16, 2});
  EXPECT_THROW(OneNode("BitShift").with("direction", "UP").run<double>(inputs), OperatorError);
}

TEST(Activation, FollowsTheFormulas) {
  expect_map(OneNode("Relu"), {-1, 0, 2, kInf, -kInf}, {0, 0, 2, kInf, 0});
  expect_map(OneNode("LeakyRelu").with("alpha", 0.5), {-1, 0, 2}, {-0.5, 0, 2});
  expect_map(OneNode("Elu").with("alpha", 2.0), {-1, 0, 2}, {2 * (std::exp(-1.0) - 1), 0, 2});
  expect_map(OneNode("Selu").with("alpha", 2.0).with("gamma", 3.0), {-1, 0, 1}, {6 * std::exp(-1.0) - 6, 0, 3});
  expect_map(OneNode("Celu").with("alpha", 2.0), {-1, 0, 2}, {2 * (std::exp(-0.5) - 1), 0, 2});
  expect_map(OneNode("Softplus"), {-1, 0, 1000, -1000}, {std::log1p(std::exp(-1.0)), std::log(2.0), 1000, 0});
  expect_map(OneNode("Softsign"), {-1, 0, 3}, {-0.5, 0, 0.75});
  expect_map(OneNode("HardSigmoid").with("alpha", 0.5).with("beta", 0.6), {-2, 0, 1}, {0, 0.6, 1});
  expect_map(OneNode("HardSwish"), {-4, 0, 3, 1.5}, {0, 0, 3, 1.125});
  expect_map(OneNode("ThresholdedRelu").with("alpha", 2.0), {1.5, 2, 2.2}, {0, 0, 2.2});
  expect_map(OneNode("Mish"), {0, 1000, -1000}, {0, 1000, 0});
  expect_map(OneNode("Gelu"), {0, 1, -20}, {0, 0.5 * (1 + std::erf(1 / std::sqrt(2.0))), 0});
  expect_map(OneNode("Gelu").with("approximate", "tanh"), {0, 1}, {0, 0.8411919906082768});
  expect(OneNode("PRelu"), {reals({2, 2}, {-1, -1, 2, -2}), reals({2}, {0.5, 0.25})}, {2, 2}, {-0.5, -0.25, 2, -0.5});
}

TEST(Activation, SoftmaxSurvivesLargeArgumentsAlongEveryAxis) {
  const double e = std::exp(1.0);
  expect(OneNode("Softmax"), {reals({1, 2}, {10000, 10001})}, {1, 2}, {1 / (1 + e), e / (1 + e)});
  expect(OneNode("Softmax").with("axis", 0), {reals({2, 1}, {10000, 10001})}, {2, 1}, {1 / (1 + e), e / (1 + e)});
  expect(OneNode("LogSoftmax"), {reals({1, 2}, {10000, 10001})}, {1, 2}, {-std::log(1 + e), 1 - std::log(1 + e)});
  expect(OneNode("LogSoftmax").with("axis", 0), {reals({2, 2}, {0, 5, 1, 6})}, {2, 2},
         {-std::log(1 + e), -std::log(1 + e), 1 - std::log(1 + e), 1 - std::log(1 + e)});
}

TEST(Activation, SoftmaxBeforeOpset13FlattensFromAxis1) {
  const Input x = reals({1, 2, 2}, {0, 0, 0, 0});
  expect(OneNode("Softmax").opset(11), {x}, {1, 2, 2}, {0.25, 0.25, 0.25, 0.25});
  expect(OneNode("Softmax").opset(13), {x}, {1, 2, 2}, {0.5, 0.5, 0.5, 0.5});
}

TEST(Activation, HardmaxMarksTheFirstMaximum) {
  expect(OneNode("Hardmax"), {reals({2, 3}, {3, 3, 1, 0, 1, 1})}, {2, 3}, {1, 0, 0, 0, 1, 0});
  expect(OneNode("Hardmax").with("axis", 0), {reals({2, 2}, {3, 0, 1, 1})}, {2, 2}, {1, 0, 0, 1});
}

TEST(Logic, ComparesEveryTypeAndBroadcasts) {
  expect(OneNode("Equal"), {reals({3}, {1, kNaN, 3}), reals({3}, {1, kNaN, 2})}, {3}, {1, 0, 0});
  expect(OneNode("Equal"), {booleans({2}, {1, 0}), booleans({1}, {1})}, {2}, {1, 0});
  expect(OneNode("Less"), {reals({2, 1}, {1, 3}), reals({2}, {1, 2})}, {2, 2}, {0, 1, 0, 0});
  expect(OneNode("LessOrEqual"), {reals({2}, {1, 3}), reals({2}, {1, 2})}, {2}, {1, 0});
  expect(OneNode("Greater"), {integers({2}, {1, 3}), integers({2}, {1, 2})}, {2}, {0, 1});
  expect(OneNode("GreaterOrEqual"), {integers({2}, {1, 1}), integers({2}, {1, 2})}, {2}, {1, 0});
  // -1 in 64 bits is the largest unsigned number.
  expect(OneNode("Greater"), {integers({1}, {-1}, ElementType::u64), integers({1}, {1}, ElementType::u64)}, {1}, {1});
}

TEST(Logic, CombinesBooleansAndBits) {
  const Input a = booleans({4}, {0, 0, 1, 1}), b = booleans({4}, {0, 1, 0, 1});
  expect(OneNode("And"), {a, b}, {4}, {0, 0, 0, 1});
  expect(OneNode("Or"), {a, b}, {4}, {0, 1, 1, 1});
  expect(OneNode("Xor"), {a, b}, {4}, {0, 1, 1, 0});
  expect(OneNode("Not"), {a}, {4}, {1, 1, 0, 0});
  const Input p = integers({2}, {12, 255}, ElementType::u8), q = integers({2}, {10, 1}, ElementType::u8);
  expect(OneNode("BitwiseAnd"), {p, q}, {2}, {8, 1});
  expect(OneNode("BitwiseOr"), {p, q}, {2}, {14, 255});
  expect(OneNode("BitwiseXor"), {p, q}, {2}, {6, 254});
  expect(OneNode("BitwiseNot"), {p}, {2}, {243, 0});
}

TEST(Logic, WhereChoosesElementsOfAnyType) {
  const Input condition = booleans({2, 2}, {1, 0, 1, 1});
  expect(OneNode("Where"), {condition, reals({2, 2}, {1, 2, 3, 4}), reals({}, {9})}, {2, 2}, {1, 9, 3, 4});
  expect(OneNode("Where"), {condition, integers({1}, {1}), integers({2}, {7, 8})}, {2, 2}, {1, 8, 1, 1});
  expect(OneNode("Where"), {booleans({2, 1}, {0, 1}), reals({2}, {kNaN, 1}), reals({2}, {5, 6})}, {2, 2}, {5, 6, kNaN, 1});
}

TEST(Logic, TellsInfinitiesAndNaN) {
  const Input x = reals({4}, {kInf, -kInf, kNaN, 1});
  expect(OneNode("IsInf"), {x}, {4}, {1, 1, 0, 0});
  expect(OneNode("IsInf").with("detect_negative", 0), {x}, {4}, {1, 0, 0, 0});
  expect(OneNode("IsInf").with("detect_positive", 0), {x}, {4}, {0, 1, 0, 0});
  expect(OneNode("IsNaN"), {x}, {4}, {0, 0, 1, 0});
}

}  // namespace
}  // namespace assay::oracle
