// SPDX-License-Identifier: Apache-2.0
// Convolutions against loops over the definition, in every combination of stride, dilation, padding and
// groups.
#include "error_scale.h"

namespace assay::oracle {
namespace {

struct Geometry {
  std::int64_t batch, channels, height, width, filters, kernel_h, kernel_w, stride, dilation, pad, groups;
};

void PrintTo(const Geometry& g, std::ostream* out) {
  *out << "x " << g.batch << "x" << g.channels << "x" << g.height << "x" << g.width << ", " << g.filters << " filters of " << g.kernel_h
       << "x" << g.kernel_w << ", stride " << g.stride << ", dilation " << g.dilation << ", pad " << g.pad << ", groups " << g.groups;
}

const Geometry kGeometries[] = {
    {1, 1, 3, 3, 1, 1, 1, 1, 1, 0, 1}, {2, 3, 7, 9, 4, 3, 3, 1, 1, 1, 1}, {1, 4, 8, 6, 6, 3, 2, 2, 1, 0, 2},
    {2, 6, 9, 9, 6, 3, 3, 1, 2, 2, 6}, {1, 4, 5, 5, 8, 1, 1, 1, 1, 0, 1}, {1, 2, 11, 10, 4, 5, 3, 3, 2, 4, 1},
    {1, 3, 6, 6, 6, 3, 3, 2, 1, 1, 3}, {1, 2, 2, 2, 3, 3, 3, 1, 1, 2, 1}, {1, 4, 4, 4, 4, 1, 1, 2, 1, 0, 1},
};

std::int64_t outputs(std::int64_t extent, std::int64_t kernel, const Geometry& g) {
  return (extent + 2 * g.pad - (kernel - 1) * g.dilation - 1) / g.stride + 1;
}

/// Visits every term: visit(index in x, index in w, index in y).
template <class Visit>
void for_each_term(const Geometry& g, Visit&& visit) {
  const std::int64_t oh = outputs(g.height, g.kernel_h, g), ow = outputs(g.width, g.kernel_w, g);
  const std::int64_t per_group = g.channels / g.groups, filters_per_group = g.filters / g.groups;
  for (std::int64_t n = 0; n < g.batch; ++n)
    for (std::int64_t f = 0; f < g.filters; ++f)
      for (std::int64_t c = 0; c < per_group; ++c)
        for (std::int64_t y = 0; y < oh; ++y)
          for (std::int64_t x = 0; x < ow; ++x)
            for (std::int64_t i = 0; i < g.kernel_h; ++i)
              for (std::int64_t j = 0; j < g.kernel_w; ++j) {
                const std::int64_t row = y * g.stride + i * g.dilation - g.pad, column = x * g.stride + j * g.dilation - g.pad;
                if (row < 0 || row >= g.height || column < 0 || column >= g.width) continue;
                const std::int64_t channel = f / filters_per_group * per_group + c;
                visit(((n * g.channels + channel) * g.height + row) * g.width + column,
                      ((f * per_group + c) * g.kernel_h + i) * g.kernel_w + j, ((n * g.filters + f) * oh + y) * ow + x);
              }
}

OneNode with_geometry(const OneNode& node, const Geometry& g) {
  return node.with_list("strides", {g.stride, g.stride})
      .with_list("dilations", {g.dilation, g.dilation})
      .with_list("pads", {g.pad, g.pad, g.pad, g.pad})
      .with("group", static_cast<int>(g.groups));
}

Shape x_shape(const Geometry& g) { return {g.batch, g.channels, g.height, g.width}; }
Shape w_shape(const Geometry& g) { return {g.filters, g.channels / g.groups, g.kernel_h, g.kernel_w}; }
Shape y_shape(const Geometry& g) { return {g.batch, g.filters, outputs(g.height, g.kernel_h, g), outputs(g.width, g.kernel_w, g)}; }

class ConvolutionTest : public testing::TestWithParam<Geometry> {};

TEST_P(ConvolutionTest, isTheSumOfItsTerms) {
  const Geometry g = GetParam();
  const Input x = normal(x_shape(g), 1), w = normal(w_shape(g), 2), b = normal({g.filters}, 3);
  std::vector<double> wanted(static_cast<std::size_t>(element_count(y_shape(g))), 0);
  for_each_term(g, [&](auto i, auto j, auto o) {
    wanted[static_cast<std::size_t>(o)] += x.elements[static_cast<std::size_t>(i)] * w.elements[static_cast<std::size_t>(j)];
  });
  const OneNode conv = with_geometry(OneNode("Conv"), g);
  expect(conv, {x, w}, y_shape(g), wanted, 0, 1e-11);
  const std::int64_t plane = y_shape(g)[2] * y_shape(g)[3];
  for (std::size_t o = 0; o < wanted.size(); ++o) wanted[o] += b.elements[o / static_cast<std::size_t>(plane) % b.elements.size()];
  expect(conv, {x, w, b}, y_shape(g), wanted, 0, 1e-11);
}

TEST_P(ConvolutionTest, sumsInEveryOrder) {
  const Geometry g = GetParam();
  expect_honest_scale(with_geometry(OneNode("Conv"), g), {normal(x_shape(g), 1), normal(w_shape(g), 2)}, 0, 1000);
}

TEST_P(ConvolutionTest, transposedIsTheAdjoint) {
  const Geometry g = GetParam();
  // The output extents that lead back: what stride leaves over is output_padding.
  const auto left_over = [&](std::int64_t extent, std::int64_t kernel) {
    return (extent + 2 * g.pad - (kernel - 1) * g.dilation - 1) % g.stride;
  };
  const Input y = normal(y_shape(g), 1), w = normal(w_shape(g), 2);
  std::vector<double> wanted(static_cast<std::size_t>(element_count(x_shape(g))), 0);
  for_each_term(g, [&](auto i, auto j, auto o) {
    wanted[static_cast<std::size_t>(i)] += y.elements[static_cast<std::size_t>(o)] * w.elements[static_cast<std::size_t>(j)];
  });
  const OneNode node = with_geometry(OneNode("ConvTranspose"), g)
                           .with_list("output_padding", {left_over(g.height, g.kernel_h), left_over(g.width, g.kernel_w)});
  expect(node, {y, w}, x_shape(g), wanted, 0, 1e-11);
  for (const SumOrder order : {SumOrder::sequential, SumOrder::reversed, SumOrder::pairwise})
    EXPECT_LE(worst_scaled_error(node, {y, w}, order, 0), 8);
}

INSTANTIATE_TEST_SUITE_P(Geometries, ConvolutionTest, testing::ValuesIn(kGeometries));

TEST(Conv, worksInOneAndThreeDimensions) {
  expect(OneNode("Conv"), {reals({1, 1, 4}, {1, 2, 3, 4}), reals({1, 1, 2}, {1, 10})}, {1, 1, 3}, {21, 32, 43});
  expect(OneNode("Conv"), {reals({1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), reals({1, 1, 2, 1, 2}, {1, 10, 100, 1000})}, {1, 1, 1, 2, 1},
         {1 + 20 + 500 + 6000, 3 + 40 + 700 + 8000});
}

TEST(Conv, padsTheSurplusAtTheEndOrTheBeginning) {
  const Input x = reals({1, 1, 4}, {1, 2, 3, 4}), w = reals({1, 1, 2}, {1, 10});
  expect(OneNode("Conv").with("auto_pad", "SAME_UPPER"), {x, w}, {1, 1, 4}, {21, 32, 43, 4});
  expect(OneNode("Conv").with("auto_pad", "SAME_LOWER"), {x, w}, {1, 1, 4}, {10, 21, 32, 43});
  expect(OneNode("Conv").with("auto_pad", "VALID"), {x, w}, {1, 1, 3}, {21, 32, 43});
}

TEST(Conv, isTheSameInPiecesOfItsOutput) {
  // More im2col elements than are held at a time: 9 * 8 * 150^2.
  const Input x = uniform({1, 8, 150, 150}, 1, -1, 1), w = uniform({2, 8, 3, 3}, 2, -1, 1);
  const OneNode conv = OneNode("Conv").with_list("pads", {1, 1, 1, 1});
  const std::vector<double> whole = elements(conv.run<double>({x, w})[0]);
  for (const std::int64_t row : {0, 72, 149})
    for (const std::int64_t column : {0, 97, 149}) {
      double sum = 0;
      for (std::int64_t c = 0; c < 8; ++c)
        for (std::int64_t i = 0; i < 3; ++i)
          for (std::int64_t j = 0; j < 3; ++j) {
            const std::int64_t r = row + i - 1, k = column + j - 1;
            if (r < 0 || r >= 150 || k < 0 || k >= 150) continue;
            sum +=
                x.elements[static_cast<std::size_t>((c * 150 + r) * 150 + k)] * w.elements[static_cast<std::size_t>((c * 3 + i) * 3 + j)];
          }
      EXPECT_NEAR(whole[static_cast<std::size_t>(row * 150 + column)], sum, 1e-12);
    }
}

TEST(Conv, refusesShapesThatDoNotFit) {
  EXPECT_THROW(OneNode("Conv").run<float>({normal({1, 3, 4, 4}, 1), normal({2, 2, 3, 3}, 2)}), OperatorError);
  EXPECT_THROW(OneNode("Conv").run<float>({normal({1, 1, 2, 2}, 1), normal({1, 1, 3, 3}, 2)}), OperatorError);
  EXPECT_THROW(OneNode("Conv").with_list("kernel_shape", {2, 2}).run<float>({normal({1, 1, 4, 4}, 1), normal({1, 1, 3, 3}, 2)}),
               OperatorError);
  EXPECT_THROW(OneNode("Conv").run<float>({normal({1, 1, 4, 4}, 1), normal({2, 1, 3, 3}, 2), normal({3}, 3)}), OperatorError);
}

TEST(ConvTranspose, spreadsEachInputAndHonoursOutputShape) {
  const Input x = reals({1, 1, 2}, {1, 2}), w = reals({1, 1, 3}, {1, 10, 100});
  expect(OneNode("ConvTranspose"), {x, w}, {1, 1, 4}, {1, 12, 120, 200});
  expect(OneNode("ConvTranspose").with_list("strides", {2}), {x, w}, {1, 1, 5}, {1, 10, 102, 20, 200});
  expect(OneNode("ConvTranspose").with_list("strides", {2}).with_list("output_shape", {4}), {x, w}, {1, 1, 4}, {10, 102, 20, 200});
  expect(OneNode("ConvTranspose").with_list("strides", {2}).with("auto_pad", "SAME_UPPER"), {x, w}, {1, 1, 4}, {1, 10, 102, 20});
  expect(OneNode("ConvTranspose").with_list("pads", {1, 1}), {x, w, reals({1}, {0.5})}, {1, 1, 2}, {12.5, 120.5});
}

TEST(ConvInteger, subtractsZeroPointsBeforePadding) {
  const Input x = integers({1, 1, 3}, {2, 3, 4}, ElementType::u8), w = integers({1, 1, 2}, {1, 1}, ElementType::u8);
  expect(OneNode("ConvInteger").with_list("pads", {1, 0}), {x, w, integers({}, {1}, ElementType::u8)}, {1, 1, 3}, {1, 3, 5});
}

}  // namespace
}  // namespace assay::oracle
