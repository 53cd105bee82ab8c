// SPDX-License-Identifier: Apache-2.0
#include "error_scale.h"

namespace assay::oracle {
namespace {

const Input kSquare = reals({1, 1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});

TEST(MaxPool, takesTheLargestOfEachWindow) {
  const OneNode pool = OneNode("MaxPool").with_list("kernel_shape", {2, 2});
  expect(pool, {kSquare}, {1, 1, 3, 3}, {6, 7, 8, 10, 11, 12, 14, 15, 16});
  expect(pool.with_list("strides", {2, 2}), {kSquare}, {1, 1, 2, 2}, {6, 8, 14, 16});
  expect(pool.with_list("dilations", {2, 2}), {kSquare}, {1, 1, 2, 2}, {11, 12, 15, 16});
}

TEST(MaxPool, doesNotLetPaddingWin) {
  expect(OneNode("MaxPool").with_list("kernel_shape", {2}).with_list("pads", {1, 1}), {reals({1, 1, 2}, {-3, -5})}, {1, 1, 3},
         {-3, -3, -5});
}

TEST(MaxPool, roundsUpWithoutAWindowThatStartsInThePadding) {
  const OneNode pool = OneNode("MaxPool").with_list("kernel_shape", {2}).with_list("strides", {2}).with("ceil_mode", 1);
  expect(pool, {reals({1, 1, 3}, {1, 2, 3})}, {1, 1, 2}, {2, 3});
  expect(pool.with_list("pads", {1, 1}), {reals({1, 1, 3}, {1, 2, 3})}, {1, 1, 2}, {1, 3});
  // 4 + 1 elements behind the padding: a third window would start at position 5.
  expect(pool.with_list("pads", {0, 1}), {reals({1, 1, 4}, {1, 2, 3, 4})}, {1, 1, 2}, {2, 4});
}

TEST(MaxPool, saysWhereTheLargestStands) {
  const OneNode pool = OneNode("MaxPool", 2).with_list("kernel_shape", {2, 2}).with_list("strides", {2, 2});
  const Input x = reals({1, 2, 2, 2}, {4, 1, 2, 3, 7, 7, 7, 9});
  expect(pool, {x}, {1, 2, 1, 1}, {4, 9}, 0);
  expect(pool, {x}, {1, 2, 1, 1}, {0, 7}, 1);
  expect(pool.with("storage_order", 1), {reals({1, 1, 2, 2}, {1, 5, 2, 3})}, {1, 1, 1, 1}, {2}, 1);
}

TEST(MaxPool, poolsIntegers) {
  expect(OneNode("MaxPool").with_list("kernel_shape", {2}), {integers({1, 1, 3}, {3, 250, 7}, ElementType::u8)}, {1, 1, 2}, {250, 250});
}

TEST(AveragePool, countsPaddingOnlyWhereAsked) {
  const OneNode pool = OneNode("AveragePool").with_list("kernel_shape", {3}).with_list("pads", {1, 1});
  const Input x = reals({1, 1, 3}, {3, 6, 12});
  expect(pool, {x}, {1, 1, 3}, {4.5, 7, 9});
  expect(pool.with("count_include_pad", 1), {x}, {1, 1, 3}, {3, 7, 6});
}

TEST(AveragePool, doesNotCountWhatCeilModeAddsBehindThePadding) {
  const OneNode pool = OneNode("AveragePool").with_list("kernel_shape", {2}).with_list("strides", {2}).with("ceil_mode", 1);
  expect(pool, {reals({1, 1, 3}, {1, 2, 5})}, {1, 1, 2}, {1.5, 5});
  expect(pool.with("count_include_pad", 1), {reals({1, 1, 3}, {1, 2, 5})}, {1, 1, 2}, {1.5, 5});
}

TEST(AveragePool, hasAnHonestErrorScale) {
  const OneNode pool =
      OneNode("AveragePool").with_list("kernel_shape", {7, 5}).with_list("strides", {2, 1}).with_list("pads", {3, 2, 3, 2});
  expect_honest_scale(pool, {normal({2, 3, 20, 30}, 1)});
}

TEST(LpPool, isANorm) {
  const OneNode pool = OneNode("LpPool").with_list("kernel_shape", {2});
  const Input x = reals({1, 1, 3}, {3, -4, 0});
  expect(pool, {x}, {1, 1, 2}, {5, 4});
  expect(pool.with("p", 1), {x}, {1, 1, 2}, {7, 4});
  expect(pool.with("p", 3), {x}, {1, 1, 2}, {std::cbrt(91.0), 4});
}

TEST(GlobalPools, reducePlanes) {
  const Input x = reals({1, 2, 3}, {1, 2, 6, -3, 0, -4});
  expect(OneNode("GlobalAveragePool"), {x}, {1, 2, 1}, {3, -7.0 / 3});
  expect(OneNode("GlobalMaxPool"), {x}, {1, 2, 1}, {6, 0});
  expect(OneNode("GlobalLpPool"), {x}, {1, 2, 1}, {std::sqrt(41.0), 5});
  expect_honest_scale(OneNode("GlobalAveragePool"), {normal({4, 20, 31, 17}, 1)});
}

TEST(MaxUnpool, putsElementsBack) {
  const OneNode unpool = OneNode("MaxUnpool").with_list("kernel_shape", {2, 2}).with_list("strides", {2, 2});
  const Input x = reals({1, 1, 1, 2}, {7, 8}), where = integers({1, 1, 1, 2}, {1, 6});
  expect(unpool, {x, where}, {1, 1, 2, 4}, {0, 7, 0, 0, 0, 0, 8, 0});
  expect(unpool, {x, where, integers({4}, {1, 1, 2, 5})}, {1, 1, 2, 5}, {0, 7, 0, 0, 0, 0, 0, 8, 0, 0});
  EXPECT_THROW(unpool.run<float>({x, integers({1, 1, 1, 2}, {1, 8})}), OperatorError);
}

}  // namespace
}  // namespace assay::oracle
