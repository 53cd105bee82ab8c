// SPDX-License-Identifier: Apache-2.0
// Boxes and regions: NonMaxSuppression, MaxRoiPool, DeformConv. Numbers by hand.
#include "error_scale.h"

namespace assay::oracle {
namespace {

// Boxes y1, x1, y2, x2: the second overlaps the first by 1/3 (half of each), the third by nothing.
const Input kBoxes = reals({1, 3, 4}, {0, 0, 2, 2, 0, 1, 2, 3, 5, 5, 6, 6});
const Input kScores = reals({1, 1, 3}, {0.5, 0.9, 0.1});
Input most(double count) { return integers({1}, {count}); }
Input number(double x) { return reals({1}, {x}); }

TEST(NonMaxSuppression, TakesTheBestAndDropsWhatOverlaps) {
  const OneNode node("NonMaxSuppression");
  expect(node, {kBoxes, kScores, most(3), number(0.25)}, {2, 3}, {0, 0, 1, 0, 0, 2});
  expect(node, {kBoxes, kScores, most(3), number(0.4)}, {3, 3}, {0, 0, 1, 0, 0, 0, 0, 0, 2});
  expect(node, {kBoxes, kScores, most(1), number(0.4)}, {1, 3}, {0, 0, 1});
  expect(node, {kBoxes, kScores, most(3), number(0.4), number(0.3)}, {2, 3}, {0, 0, 1, 0, 0, 0});
  // The default of max_output_boxes_per_class is 0.
  expect(node, {kBoxes, kScores}, {0, 3}, {});
}

TEST(NonMaxSuppression, TakesAnyCornersAndCentres) {
  const Input flipped = reals({1, 2, 4}, {2, 2, 0, 0, 0, 3, 2, 1}), scores = reals({1, 1, 2}, {0.5, 0.9});
  expect(OneNode("NonMaxSuppression"), {flipped, scores, most(2), number(0.25)}, {1, 3}, {0, 0, 1});
  const Input centred = reals({1, 2, 4}, {1, 1, 2, 2, 2, 1, 2, 2});  // the same as x, y, width, height
  expect(OneNode("NonMaxSuppression").with("center_point_box", 1), {centred, scores, most(2), number(0.25)}, {1, 3}, {0, 0, 1});
}

TEST(NonMaxSuppression, KeepsTheFirstOfEqualsAndEachClassApart) {
  const Input same = reals({1, 2, 4}, {0, 0, 1, 1, 0, 0, 1, 1});
  expect(OneNode("NonMaxSuppression"), {same, reals({1, 2, 2}, {0.7, 0.7, 0.1, 0.2}), most(2), number(0.5)}, {2, 3}, {0, 0, 0, 0, 1, 1});
  EXPECT_THROW(OneNode("NonMaxSuppression").run<double>({same, reals({1, 2, 3}, std::vector<double>(6, 0))}), OperatorError);
}

TEST(MaxRoiPool, TakesTheLargestOfEachBin) {
  const Input x = reals({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const OneNode node = OneNode("MaxRoiPool").with_list("pooled_shape", {1, 2});
  // Regions batch, x1, y1, x2, y2, ends included: the whole image; its left upper element.
  expect(node, {x, reals({2, 5}, {0, 0, 0, 3, 1, 0, 0, 0, 0, 0})}, {2, 1, 1, 2}, {6, 8, 1, 1});
  // At half the scale, and beyond the image, where bins are empty.
  expect(node.with("spatial_scale", 0.5), {x, reals({1, 5}, {0, 0, 0, 6, 2})}, {1, 1, 1, 2}, {6, 8});
  expect(node, {x, reals({1, 5}, {0, 10, 10, 12, 12})}, {1, 1, 1, 2}, {0, 0});
  EXPECT_THROW(node.run<double>({x, reals({1, 5}, {1, 0, 0, 1, 1})}), OperatorError);
}

TEST(DeformConv, ReadsBetweenTheElements) {
  const Input x = reals({1, 1, 2, 2}, {1, 2, 3, 4}), w = reals({1, 1, 1, 1}, {10});
  const Input still = reals({1, 2, 2, 2}, std::vector<double>(8, 0));
  expect(OneNode("DeformConv").opset(19), {x, w, still}, {1, 1, 2, 2}, {10, 20, 30, 40});
  // Down by 1/2: means of the rows, and of the last row and the zeros below it.
  const Input down = reals({1, 2, 2, 2}, {0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0});
  expect(OneNode("DeformConv").opset(19), {x, w, down}, {1, 1, 2, 2}, {20, 30, 15, 20});
  // Right by 1 with a mask and a bias.
  const Input right = reals({1, 2, 2, 2}, {0, 0, 0, 0, 1, 1, 1, 1}), mask = reals({1, 1, 2, 2}, {1, 1, 0.5, 1});
  expect(OneNode("DeformConv").opset(19), {x, w, right, reals({1}, {7}), mask}, {1, 1, 2, 2}, {27, 7, 27, 7});
  EXPECT_THROW(OneNode("DeformConv").opset(19).run<double>({x, w, mask}), OperatorError);
}

TEST(DeformConv, WithoutOffsetsIsAConvolution) {
  const Input x = normal({2, 4, 6, 5}, 1), w = normal({6, 2, 3, 3}, 2);
  const OneNode plain = OneNode("Conv").with("group", 2).with_list("pads", {1, 1, 1, 1});
  const OneNode deformable = OneNode("DeformConv").opset(19).with("group", 2).with("offset_group", 2).with_list("pads", {1, 1, 1, 1});
  const auto wanted = elements(plain.run<double>({x, w})[0]);
  expect(deformable, {x, w, reals({2, 36, 6, 5}, std::vector<double>(2160, 0))}, {2, 6, 6, 5}, wanted, 0, 1e-5);
}

TEST(DeformConv, HasAnHonestErrorScale) {
  expect_honest_scale(OneNode("DeformConv").opset(19),
                      {normal({1, 8, 9, 9}, 1), normal({4, 8, 3, 3}, 2), uniform({1, 18, 7, 7}, 3, -1, 1)});
}

}  // namespace
}  // namespace assay::oracle
