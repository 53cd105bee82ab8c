// SPDX-License-Identifier: Apache-2.0
// Resampling: operators/resize.cpp, sampling.cpp and region.cpp.
#include "error_scale.h"

namespace assay::oracle {
namespace {

const Input kRow = reals({1, 4}, {1, 2, 3, 4});
const Input kImage = normal({2, 3, 13, 17}, 1);

OneNode resize(const char* mode, const char* coordinates) {
  return OneNode("Resize").with("mode", mode).with("coordinate_transformation_mode", coordinates);
}
std::vector<Input> by_scale(const Input& x, std::vector<double> scales) {
  const auto rank = static_cast<std::int64_t>(scales.size());
  return {x, omitted(), reals({rank}, std::move(scales))};
}
std::vector<Input> by_size(const Input& x, std::vector<double> sizes) {
  const auto rank = static_cast<std::int64_t>(sizes.size());
  return {x, omitted(), omitted(), integers({rank}, std::move(sizes))};
}

TEST(Resize, interpolatesLinearlyBetweenCentres) {
  expect(resize("linear", "half_pixel"), by_scale(kRow, {1, 2}), {1, 8}, {1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4});
  expect(resize("linear", "half_pixel"), by_size(kRow, {1, 2}), {1, 2}, {1.5, 3.5});
  expect(resize("linear", "align_corners"), by_size(kRow, {1, 7}), {1, 7}, {1, 1.5, 2, 2.5, 3, 3.5, 4});
  expect(resize("linear", "asymmetric"), by_scale(kRow, {1, 2}), {1, 8}, {1, 1.5, 2, 2.5, 3, 3.5, 4, 4});
}

TEST(Resize, interpolatesAxesOneByOne) {
  expect(resize("linear", "align_corners"), by_size(reals({2, 2}, {0, 2, 4, 10}), {3, 3}), {3, 3}, {0, 1, 2, 2, 4, 6, 4, 7, 10});
}

TEST(Resize, picksTheNearestAndRoundsTiesAsTold) {
  const auto nearest = [](const char* rounding) { return resize("nearest", "asymmetric").with("nearest_mode", rounding); };
  const auto doubled = by_scale(kRow, {1, 2});  // coordinates 0, 0.5, 1, ...
  expect(nearest("round_prefer_floor"), doubled, {1, 8}, {1, 1, 2, 2, 3, 3, 4, 4});
  expect(nearest("round_prefer_ceil"), doubled, {1, 8}, {1, 2, 2, 3, 3, 4, 4, 4});
  expect(nearest("floor"), doubled, {1, 8}, {1, 1, 2, 2, 3, 3, 4, 4});
  expect(nearest("ceil"), doubled, {1, 8}, {1, 2, 2, 3, 3, 4, 4, 4});
  expect(resize("nearest", "half_pixel"), by_size(integers({2, 1}, {7, 9}), {4, 2}), {4, 2}, {7, 7, 7, 7, 9, 9, 9, 9});
}

TEST(Resize, convolvesCubically) {
  // Half way between elements Keys' weights are a/8 and 1/2 - a/8: -0.09375 and 0.59375 for a = -0.75.
  const double middle = -0.09375 * (1 + 8) + 0.59375 * (2 + 4);
  const auto out = elements(resize("cubic", "asymmetric").run<double>(by_scale(reals({1, 4}, {1, 2, 4, 8}), {1, 2}))[0]);
  EXPECT_DOUBLE_EQ(out[3], middle);
  EXPECT_DOUBLE_EQ(out[2], 2);
}

TEST(Resize, widensTheKernelToAvoidAliasing) {
  // Scale 1/2: weights 1/8, 3/8, 3/8, 1/8 about each centre, the edge repeated.
  expect(resize("linear", "half_pixel").opset(18).with("antialias", 1), by_size(kRow, {1, 2}), {1, 2},
         {(1 + 3 * 1 + 3 * 2 + 3) / 8.0, (2 + 3 * 3 + 3 * 4 + 4) / 8.0});
}

TEST(Resize, cropsAndExtrapolates) {
  expect(resize("linear", "tf_crop_and_resize").with("extrapolation_value", -7.0),
         {kRow, reals({4}, {0, 0.5, 1, 1.5}), omitted(), integers({2}, {1, 3})}, {1, 3}, {2.5, 4, -7});
}

TEST(Resize, keepsTheAspectRatio) {
  const OneNode larger = OneNode("Resize").opset(18).with("keep_aspect_ratio_policy", "not_larger");
  EXPECT_EQ(larger.run<double>(by_size(normal({1, 1, 2, 4}, 1), {1, 1, 7, 8}))[0].shape(), (Shape{1, 1, 2, 4}));
}

TEST(Resize, hasAnHonestErrorScale) {
  for (const char* coordinates : {"half_pixel", "align_corners", "asymmetric"}) {
    expect_honest_scale(resize("linear", coordinates), by_size(kImage, {2, 3, 31, 29}));
    expect_honest_scale(resize("cubic", coordinates), by_size(kImage, {2, 3, 31, 29}));
  }
  expect_honest_scale(resize("linear", "half_pixel").opset(18).with("antialias", 1), by_size(kImage, {2, 3, 5, 6}));
}

TEST(Resize, promisesExactCoordinatesWhereFloatHasThem) {
  // Doubling: every coordinate and weight is a float, so an output that equals an input element is exact.
  const auto scale = bounds(resize("linear", "asymmetric").run<Bounded>(by_scale(kRow, {1, 2}))[0]);
  EXPECT_LE(scale[6], 3 * 4);
}

TEST(Resize, countsTheElementBeforeWhereRoundingMayReachIt) {
  // From 3 to 7 output 3 lies at (3 + 1/2) 3/7 - 1/2, which is 1: a float may be a little less.
  const Input row = reals({1, 3}, {1e30, 1, 2});
  for (const char* mode : {"linear", "cubic"}) {
    const auto scale = bounds(resize(mode, "half_pixel").run<Bounded>(by_size(row, {1, 7}))[0]);
    EXPECT_GE(scale[3], 1e30) << mode;
  }
}

TEST(Resize, refusesWhatItDoesNotKnow) {
  EXPECT_THROW(resize("quadratic", "half_pixel").run<float>(by_scale(kRow, {1, 2})), OperatorError);
  EXPECT_THROW(resize("linear", "whole_pixel").run<float>(by_scale(kRow, {1, 2})), OperatorError);
  EXPECT_THROW(OneNode("Resize").run<float>({kRow}), OperatorError);
}

TEST(Upsample, repeatsElements) {
  expect(OneNode("Upsample").opset(9), {kRow, reals({2}, {1, 2})}, {1, 8}, {1, 1, 2, 2, 3, 3, 4, 4});
  expect(OneNode("Upsample").opset(9).with("mode", "linear"), {kRow, reals({2}, {1, 2})}, {1, 8}, {1, 1.5, 2, 2.5, 3, 3.5, 4, 4});
}

// One row of three elements 1, 2, 4 as a 1 x 3 image; each sample is (x, 0).
const Input kStrip = reals({1, 1, 1, 3}, {1, 2, 4});
Input along(std::vector<double> xs) {
  Input grid = reals({1, 1, static_cast<std::int64_t>(xs.size()), 2}, {});
  for (const double x : xs) grid.elements.insert(grid.elements.end(), {x, 0});
  return grid;
}

TEST(GridSample, interpolatesBetweenElements) {
  expect(OneNode("GridSample").with("align_corners", 1), {kStrip, along({-1, -0.5, 0, 1})}, {1, 1, 1, 4}, {1, 1.5, 2, 4});
  // Without align_corners -1 and 1 are the outer edges: half of what is sampled there is padding.
  expect(OneNode("GridSample"), {kStrip, along({-1, 0, 1})}, {1, 1, 1, 3}, {0.5, 2, 2});
  expect(OneNode("GridSample").with("padding_mode", "border"), {kStrip, along({-1, 0, 1, 3})}, {1, 1, 1, 4}, {1, 2, 4, 4});
}

TEST(GridSample, reflectsAtTheBorder) {
  const OneNode reflecting = OneNode("GridSample").with("padding_mode", "reflection");
  expect(reflecting.with("align_corners", 1), {kStrip, along({1.5, 2, -2, 3})}, {1, 1, 1, 4}, {3, 2, 2, 1});
  expect(reflecting, {kStrip, along({1 + 2.0 / 3, -1 - 1.0 / 3})}, {1, 1, 1, 2}, {3, 1}, 0, 1e-6);
}

TEST(GridSample, roundsHalfToEvenForTheNearest) {
  expect(OneNode("GridSample").with("mode", "nearest").with("align_corners", 1), {kStrip, along({-0.5, 0.5, 0.6, 9})}, {1, 1, 1, 4},
         {1, 4, 4, 0});
}

TEST(GridSample, allowsEitherSideOfATieThatRoundingCanReach) {
  const OneNode nearest = OneNode("GridSample").with("mode", "nearest").with("align_corners", 1);
  const auto scale = bounds(nearest.run<Bounded>({kStrip, along({0.5, 0.4})})[0]);
  EXPECT_GE(scale[0] * kFloatRoundoff, 2);
  EXPECT_EQ(scale[1], 0);
}

TEST(GridSample, samplesVolumes) {
  expect(OneNode("GridSample").opset(20).with("align_corners", 1),
         {reals({1, 1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), reals({1, 1, 1, 1, 3}, {0, 0, 0})}, {1, 1, 1, 1, 1}, {3.5});
}

TEST(GridSample, hasAnHonestErrorScale) {
  const Input grid = uniform({2, 9, 11, 2}, 2, -1.2, 1.2);
  for (const char* mode : {"bilinear", "bicubic"})
    for (const char* padding : {"zeros", "border", "reflection"})
      expect_honest_scale(OneNode("GridSample").with("mode", mode).with("padding_mode", padding), {kImage, grid});
}

TEST(AffineGrid, isTheIdentityForTheIdentity) {
  const Input identity = reals({1, 2, 3}, {1, 0, 0, 0, 1, 0});
  expect(OneNode("AffineGrid").opset(20).with("align_corners", 1), {identity, integers({4}, {1, 1, 2, 2})}, {1, 2, 2, 2},
         {-1, -1, 1, -1, -1, 1, 1, 1});
  expect(OneNode("AffineGrid").opset(20), {identity, integers({4}, {1, 1, 1, 2})}, {1, 1, 2, 2}, {-0.5, 0, 0.5, 0});
}

TEST(RoiAlign, averagesSamplesOfARegion) {
  // A linear ramp along x: the mean of samples is the ramp at the bin's centre.
  Input ramp = reals({1, 1, 4, 4}, {});
  for (int i = 0; i < 16; ++i) ramp.elements.push_back(i % 4);
  const OneNode align = OneNode("RoiAlign").with("output_width", 2).with("sampling_ratio", 2);
  expect(align, {ramp, reals({1, 4}, {1, 1, 3, 3}), integers({1}, {0})}, {1, 1, 1, 2}, {1, 2});
  EXPECT_THROW(align.run<float>({ramp, reals({1, 4}, {1, 1, 3, 3}), integers({1}, {1})}), OperatorError);
  expect_honest_scale(align, {kImage, reals({2, 4}, {1.3, 2.1, 9.7, 8.8, 0.2, 0.9, 5.5, 12.1}), integers({2}, {1, 0})}, 0, 1000);
}

TEST(RoiAlign, leavesOpenWhetherASampleIsOutside) {
  // Samples at -1.01, -1 and -0.99 from the first pixel's centre: scaled, so that they are not exact.
  const Input ones = reals({1, 1, 1, 1}, {1});
  const OneNode align = OneNode("RoiAlign").with("sampling_ratio", 1).with("spatial_scale", 0.1);
  const auto around = [](double x) { return reals({1, 4}, {x - 10, 4, x + 10, 6}); };
  for (const auto& [x, open] : {std::pair(-5.1, false), std::pair(-5.0, true), std::pair(-4.9, false)}) {
    const double scale = bounds(align.run<Bounded>({ones, around(x), integers({1}, {0})})[0])[0];
    EXPECT_EQ(scale >= 1 / kFloatRoundoff, open) << x << ": " << scale;
  }
}

TEST(Col2Im, addsOverlappingBlocks) {
  expect(OneNode("Col2Im").opset(18), {reals({1, 2, 3}, {1, 2, 3, 10, 20, 30}), integers({1}, {4}), integers({1}, {2})}, {1, 1, 4},
         {1, 12, 23, 30});
  expect_honest_scale(OneNode("Col2Im").opset(18), {normal({1, 18, 80}, 1), integers({2}, {10, 12}), integers({2}, {3, 3})});
}

}  // namespace
}  // namespace assay::oracle
