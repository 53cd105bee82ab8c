// SPDX-License-Identifier: Apache-2.0
#include "error_scale.h"

namespace assay::oracle {
namespace {

Input u8(Shape shape, std::vector<double> x) { return integers(std::move(shape), std::move(x), ElementType::u8); }
Input i8(Shape shape, std::vector<double> x) { return integers(std::move(shape), std::move(x), ElementType::i8); }

TEST(QuantizeLinear, roundsHalfToEvenAndSaturates) {
  expect(OneNode("QuantizeLinear"), {reals({6}, {0, 1, 3, 5, 1000, -1000}), reals({}, {2}), u8({}, {128})}, {6},
         {128, 128, 130, 130, 255, 0});
  expect(OneNode("QuantizeLinear"), {reals({3}, {1, 1000, -1000}), reals({}, {2}), i8({}, {1})}, {3}, {1, 127, -128});
}

TEST(QuantizeLinear, scalesEachIndexOfItsAxis) {
  const Input x = reals({2, 2}, {2, 4, 6, 8});
  expect(OneNode("QuantizeLinear").with("axis", 0), {x, reals({2}, {1, 2}), u8({2}, {0, 10})}, {2, 2}, {2, 4, 13, 14});
  expect(OneNode("QuantizeLinear").with("axis", 1), {x, reals({2}, {1, 2}), u8({2}, {0, 10})}, {2, 2}, {2, 12, 6, 14});
  EXPECT_THROW(OneNode("QuantizeLinear").with("axis", 1).run<float>({x, reals({3}, {1, 2, 3})}), OperatorError);
}

TEST(DequantizeLinear, undoesIt) {
  expect(OneNode("DequantizeLinear"), {u8({3}, {0, 3, 128}), reals({}, {2}), u8({}, {128})}, {3}, {-256, -250, 0});
  expect(OneNode("DequantizeLinear").opset(21).with("axis", 1).with("block_size", 2), {i8({1, 4}, {1, 2, 3, 4}), reals({1, 2}, {10, 100})},
         {1, 4}, {10, 20, 300, 400});
  expect_honest_scale(OneNode("DequantizeLinear"), {i8({4}, {3, 5, -7, 100}), reals({}, {0.1F})});
}

TEST(DynamicQuantizeLinear, coversZeroAndTheData) {
  const OneNode quantize("DynamicQuantizeLinear", 3);
  const Input x = reals({3}, {-51, 0, 204});
  expect(quantize, {x}, {3}, {0, 51, 255}, 0);
  expect(quantize, {x}, {}, {1}, 1);
  expect(quantize, {x}, {}, {51}, 2);
  expect(quantize, {reals({2}, {0, 0})}, {2}, {0, 0}, 0);
}

TEST(QLinearMatMul, requantisesItsSums) {
  // (a - 1) (b - 2) = [1 2] [3 4]^T = 11; 11 * 0.5 * 0.5 / 0.25 + 7 = 18.
  expect(OneNode("QLinearMatMul"),
         {u8({1, 2}, {2, 3}), reals({}, {0.5}), u8({}, {1}), u8({2, 1}, {5, 6}), reals({}, {0.5}), u8({}, {2}), reals({}, {0.25}),
          u8({}, {7})},
         {1, 1}, {18});
}

TEST(QLinearConv, addsItsBiasBeforeScalingPerFilter) {
  expect(OneNode("QLinearConv"),
         {u8({1, 1, 2}, {3, 5}), reals({}, {0.5}), u8({}, {1}), i8({2, 1, 1}, {2, -3}), reals({2}, {1, 2}), i8({2}, {0, 0}),
          reals({}, {0.5}), u8({}, {100}), integers({2}, {10, 0}, ElementType::i32)},
         {1, 2, 2}, {114, 118, 88, 76});
}

}  // namespace
}  // namespace assay::oracle
