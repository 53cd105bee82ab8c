// SPDX-License-Identifier: Apache-2.0
// Tensors made, viewed and rearranged: operators/tensor.cpp, layout.cpp and pad.cpp.
#include <limits>

#include "error_scale.h"

namespace assay::oracle {
namespace {

const Input kTable = reals({2, 3}, {1, 2, 3, 4, 5, 6});

ConstantTensor constant(ElementType type, Shape shape, std::vector<double> numbers) {
  ConstantTensor tensor{type, std::move(shape), {}, {}};
  for (const double x : numbers) {
    if (info(type).element_class == ElementClass::real) tensor.reals.push_back(x);
    else tensor.integers.push_back(static_cast<std::int64_t>(x));
  }
  return tensor;
}

TEST(Constant, takesItsValueFromAnyOfItsAttributes) {
  expect(OneNode("Constant").with("value", Attribute(constant(ElementType::f32, {2}, {1, 2}))), {}, {2}, {1, 2});
  expect(OneNode("Constant").with("value_float", 0.5), {}, {}, {0.5});
  expect(OneNode("Constant").with_list("value_ints", {3, 4}), {}, {2}, {3, 4});
  EXPECT_THROW(OneNode("Constant").run<float>({}), OperatorError);
}

TEST(ConstantOfShape, repeatsItsValue) {
  expect(OneNode("ConstantOfShape"), {integers({2}, {1, 2})}, {1, 2}, {0, 0});
  expect(OneNode("ConstantOfShape").with("value", Attribute(constant(ElementType::i32, {1}, {7}))), {integers({1}, {3})}, {3}, {7, 7, 7});
}

TEST(Range, stopsBeforeItsLimit) {
  expect(OneNode("Range"), {reals({}, {1}), reals({}, {5}), reals({}, {2})}, {2}, {1, 3});
  expect(OneNode("Range"), {integers({}, {10}), integers({}, {4}), integers({}, {-2})}, {3}, {10, 8, 6});
  expect(OneNode("Range"), {integers({}, {0}), integers({}, {-3}), integers({}, {1})}, {0}, {});
}

TEST(EyeLike, setsADiagonal) { expect(OneNode("EyeLike").with("k", 1), {kTable}, {2, 3}, {0, 1, 0, 0, 0, 1}); }

TEST(Cast, truncatesWrapsAndTestsForZero) {
  const auto to = [](ElementType type) { return OneNode("Cast").with("to", info(type).onnx_value); };
  expect(to(ElementType::i32), {reals({3}, {1.9, -1.9, 0})}, {3}, {1, -1, 0});
  expect(to(ElementType::u8), {integers({2}, {300, -1})}, {2}, {44, 255});
  expect(to(ElementType::boolean), {reals({3}, {0.1, 0, std::nan("")})}, {3}, {1, 0, 1});
  expect(to(ElementType::f32), {booleans({2}, {1, 0})}, {2}, {1, 0});
  EXPECT_THROW(OneNode("Cast").with("to", 99).run<float>({kTable}), OperatorError);
}

TEST(Reshape, keepsZerosAndInfersOneExtent) {
  expect(OneNode("Reshape"), {kTable, integers({2}, {3, -1})}, {3, 2}, {1, 2, 3, 4, 5, 6});
  expect(OneNode("Reshape"), {kTable, integers({3}, {0, 1, 3})}, {2, 1, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THROW(OneNode("Reshape").run<float>({kTable, integers({1}, {4})}), OperatorError);
  EXPECT_THROW(OneNode("Reshape").run<float>({kTable, integers({2}, {-1, -1})}), OperatorError);
}

TEST(Flatten, splitsTheShapeAtItsAxis) {
  const Input x = normal({2, 3, 4}, 1);
  for (const auto& [axis, shape] :
       {std::pair(0, Shape{1, 24}), std::pair(2, Shape{6, 4}), std::pair(-1, Shape{6, 4}), std::pair(3, Shape{24, 1})})
    expect(OneNode("Flatten").with("axis", axis), {x}, shape, x.elements);
}

TEST(Squeeze, dropsAndUnsqueezeInserts) {
  expect(OneNode("Squeeze"), {reals({1, 2, 1}, {5, 6})}, {2}, {5, 6});
  expect(OneNode("Squeeze"), {reals({1, 2, 1}, {5, 6}), integers({1}, {-1})}, {1, 2}, {5, 6});
  expect(OneNode("Squeeze").opset(11).with_list("axes", {0}), {reals({1, 2, 1}, {5, 6})}, {2, 1}, {5, 6});
  EXPECT_THROW(OneNode("Squeeze").run<float>({kTable, integers({1}, {0})}), OperatorError);
  expect(OneNode("Unsqueeze"), {reals({2}, {5, 6}), integers({2}, {-1, 0})}, {1, 2, 1}, {5, 6});
}

TEST(Shape, isClampedToItsRange) {
  expect(OneNode("Shape"), {kTable}, {2}, {2, 3});
  expect(OneNode("Shape").with("start", -1), {kTable}, {1}, {3});
  expect(OneNode("Shape").with("start", 1).with("end", 9), {kTable}, {1}, {3});
  expect(OneNode("Size"), {kTable}, {}, {6});
}

TEST(Dropout, keepsEverythingAtInference) {
  expect(OneNode("Dropout", 2), {kTable, reals({}, {0.5})}, {2, 3}, kTable.elements);
  expect(OneNode("Dropout", 2), {kTable, reals({}, {0.5})}, {2, 3}, {1, 1, 1, 1, 1, 1}, 1);
  EXPECT_THROW(OneNode("Dropout").run<float>({kTable, reals({}, {0.5}), booleans({}, {1})}), OperatorError);
}

TEST(Transpose, permutesDimensions) {
  expect(OneNode("Transpose"), {kTable}, {3, 2}, {1, 4, 2, 5, 3, 6});
  expect(OneNode("Transpose").with_list("perm", {1, 2, 0}), {reals({2, 1, 3}, {1, 2, 3, 4, 5, 6})}, {1, 3, 2}, {1, 4, 2, 5, 3, 6});
  EXPECT_THROW(OneNode("Transpose").with_list("perm", {0, 0}).run<float>({kTable}), OperatorError);
}

TEST(Transpose, agreesWithItsDefinitionBeyondOneTile) {
  const Input x = normal({5, 37, 3, 18}, 1);
  std::vector<double> wanted(x.elements.size());
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = 0; b < 37; ++b)
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 18; ++d) wanted[((d * 5 + a) * 3 + c) * 37 + b] = x.elements[((a * 37 + b) * 3 + c) * 18 + d];
  expect(OneNode("Transpose").with_list("perm", {3, 0, 2, 1}), {x}, {18, 5, 3, 37}, wanted);
}

TEST(Concat, joinsAndSplitCuts) {
  expect(OneNode("Concat").with("axis", 1), {kTable, reals({2, 1}, {7, 8})}, {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8});
  expect(OneNode("Concat").with("axis", -2), {kTable, reals({1, 3}, {7, 8, 9})}, {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THROW(OneNode("Concat").with("axis", 0).run<float>({kTable, reals({1, 2}, {1, 2})}), OperatorError);
  const OneNode split = OneNode("Split", 2).with("axis", 1);
  expect(split, {kTable, integers({2}, {1, 2})}, {2, 1}, {1, 4}, 0);
  expect(split, {kTable, integers({2}, {1, 2})}, {2, 2}, {2, 3, 5, 6}, 1);
  expect(OneNode("Split", 2), {kTable}, {1, 3}, {4, 5, 6}, 1);
  EXPECT_THROW(split.run<float>({kTable}), OperatorError);
  expect(split.opset(18).with("num_outputs", 2), {kTable}, {2, 1}, {3, 6}, 1);
}

TEST(Slice, clampsAndStepsAsNumPyDoes) {
  const Input x = reals({5}, {0, 1, 2, 3, 4});
  const auto slice = [&](double start, double end, double step, const std::vector<double>& wanted) {
    expect(OneNode("Slice"), {x, integers({1}, {start}), integers({1}, {end}), integers({1}, {0}), integers({1}, {step})},
           {static_cast<std::int64_t>(wanted.size())}, wanted);
  };
  slice(1, 4, 1, {1, 2, 3});
  slice(-2, 99, 1, {3, 4});
  slice(0, 5, 2, {0, 2, 4});
  slice(4, -9, -2, {4, 2, 0});
  slice(99, 0, -1, {4, 3, 2, 1});
  slice(3, 1, 1, {});
  slice(-9, -20, -1, {});
  slice(-1, static_cast<double>(std::numeric_limits<std::int64_t>::min()), -1, {4, 3, 2, 1, 0});
}

TEST(Expand, repeatsAndTileCopies) {
  expect(OneNode("Expand"), {reals({2, 1}, {1, 2}), integers({2}, {1, 3})}, {2, 3}, {1, 1, 1, 2, 2, 2});
  expect(OneNode("Expand"), {reals({3}, {1, 2, 3}), integers({2}, {2, 1})}, {2, 3}, {1, 2, 3, 1, 2, 3});
  expect(OneNode("Tile"), {reals({1, 2}, {1, 2}), integers({2}, {2, 2})}, {2, 4}, {1, 2, 1, 2, 1, 2, 1, 2});
  EXPECT_THROW(OneNode("Expand").run<float>({kTable, integers({1}, {2})}), OperatorError);
}

TEST(DepthToSpace, isUndoneBySpaceToDepth) {
  const Input x = reals({1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7});
  expect(OneNode("DepthToSpace").with("blocksize", 2), {x}, {1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7});
  expect(OneNode("DepthToSpace").with("blocksize", 2).with("mode", "CRD"), {x}, {1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  expect(OneNode("SpaceToDepth").with("blocksize", 2), {reals({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7})}, {1, 8, 1, 1}, x.elements);
}

TEST(ReverseSequence, reversesEachBeginning) {
  expect(OneNode("ReverseSequence"), {reals({3, 2}, {1, 2, 3, 4, 5, 6}), integers({2}, {2, 3})}, {3, 2}, {3, 6, 1, 4, 5, 2});
}

TEST(Pad, fillsMirrorsRepeatsAndCrops) {
  const Input x = reals({3}, {1, 2, 3});
  const auto pad = [&](const char* mode, double begin, double end, const std::vector<double>& wanted) {
    expect(OneNode("Pad").with("mode", mode), {x, integers({2}, {begin, end})}, {static_cast<std::int64_t>(wanted.size())}, wanted);
  };
  pad("constant", 1, 2, {0, 1, 2, 3, 0, 0});
  pad("reflect", 2, 1, {3, 2, 1, 2, 3, 2});
  pad("reflect", 0, 5, {1, 2, 3, 2, 1, 2, 3, 2});
  pad("edge", 2, 1, {1, 1, 1, 2, 3, 3});
  pad("wrap", 4, 1, {3, 1, 2, 3, 1, 2, 3, 1});
  pad("constant", -1, 1, {2, 3, 0});
  pad("constant", -2, -1, {});
  expect(OneNode("Pad"), {kTable, integers({4}, {1, 0, 0, 1}), reals({}, {9})}, {3, 4}, {9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9});
  expect(OneNode("Pad"), {kTable, integers({2}, {1, 0}), omitted(), integers({1}, {-1})}, {2, 4}, {0, 1, 2, 3, 0, 4, 5, 6});
}

TEST(CenterCropPad, cropsAndPadsAboutTheCentre) {
  expect(OneNode("CenterCropPad"), {reals({5}, {1, 2, 3, 4, 5}), integers({1}, {2})}, {2}, {2, 3});
  expect(OneNode("CenterCropPad"), {reals({2}, {1, 2}), integers({1}, {5})}, {5}, {0, 1, 2, 0, 0});
}

}  // namespace
}  // namespace assay::oracle
