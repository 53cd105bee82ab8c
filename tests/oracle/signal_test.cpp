// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "error_scale.h"

namespace assay::oracle {
namespace {

/// sum over t of x[t] exp(sign 2 pi i k t / n), as interleaved real and imaginary parts.
std::vector<double> transform(const std::vector<double>& x, double sign) {
  const std::size_t n = x.size() / 2;
  std::vector<double> out(2 * n, 0);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t t = 0; t < n; ++t) {
      const double angle = sign * 2 * std::numbers::pi * static_cast<double>(k * t) / static_cast<double>(n);
      out[2 * k] += x[2 * t] * std::cos(angle) - x[2 * t + 1] * std::sin(angle);
      out[2 * k + 1] += x[2 * t] * std::sin(angle) + x[2 * t + 1] * std::cos(angle);
    }
  return out;
}

TEST(DFT, isItsDefinitionForEveryKindOfLength) {
  for (const std::int64_t n : {1, 2, 3, 8, 12, 17}) {
    const Input x = normal({1, n, 2}, static_cast<unsigned>(n));
    expect(OneNode("DFT"), {x}, {1, n, 2}, transform(x.elements, -1), 0, 1e-10);
    std::vector<double> inverse = transform(x.elements, 1);
    for (double& e : inverse) e /= static_cast<double>(n);
    expect(OneNode("DFT").with("inverse", 1), {x}, {1, n, 2}, inverse, 0, 1e-10);
  }
}

TEST(DFT, takesRealsAndGivesHalf) {
  const Input x = reals({1, 4, 1}, {1, 2, 3, 4});
  expect(OneNode("DFT").with("onesided", 1), {x}, {1, 3, 2}, {10, 0, -2, 2, -2, 0});
  expect(OneNode("DFT"), {x, integers({}, {2})}, {1, 2, 2}, {3, 0, -1, 0});
  expect(OneNode("DFT"), {x, integers({}, {8})}, {1, 8, 2}, transform({1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0}, -1), 0, 1e-10);
}

TEST(DFT, transformsAnInnerAxis) {
  expect(OneNode("DFT").with("axis", 0), {reals({2, 2, 1}, {1, 2, 3, 5})}, {2, 2, 2}, {4, 0, 7, 0, -2, 0, -3, 0});
}

TEST(DFT, hasAnHonestErrorScale) {
  expect_honest_scale(OneNode("DFT"), {normal({3, 60, 2}, 1)}, 0, 1000);
  expect_honest_scale(OneNode("DFT").with("onesided", 1), {normal({3, 64, 1}, 1)}, 0, 1000);
}

TEST(DFT, countsTheRoundingsOfAFastTransformWhereAllFactorsAre0) {
  const Input x = reals({1, 4, 1}, {1, 2, 3, 4});
  const std::vector<double> scale = bounds(OneNode("DFT").run<Bounded>({x})[0]);
  for (const double element : scale) EXPECT_GE(element, 10);
}

TEST(DFT, isUnknownWhereAFastTransformMayOverflowOnItsWay) {
  for (const double error : bounds(OneNode("DFT").run<Bounded>({reals({1, 4, 1}, {1e38, -1e38, 1e38, -1e38})})[0]))
    EXPECT_TRUE(std::isinf(error));
  for (const double error : bounds(OneNode("DFT").run<Bounded>({reals({1, 4, 1}, {1e37, -1e37, 1e37, -1e37})})[0]))
    EXPECT_FALSE(std::isinf(error));
}

TEST(STFT, transformsWindowedFrames) {
  const Input x = reals({1, 6, 1}, {1, 2, 3, 4, 5, 6});
  expect(OneNode("STFT"), {x, integers({}, {2}), reals({4}, {1, 1, 1, 1})}, {1, 2, 3, 2}, {10, 0, -2, 2, -2, 0, 18, 0, -2, 2, -2, 0});
  expect(OneNode("STFT").with("onesided", 0), {x, integers({}, {4}), reals({2}, {1, 10})}, {1, 2, 2, 2}, {21, 0, -19, 0, 65, 0, -55, 0});
}

TEST(Windows, areCosineSums) {
  expect(OneNode("HannWindow"), {integers({}, {4})}, {4}, {0, 0.5, 1, 0.5});
  expect(OneNode("HannWindow").with("periodic", 0), {integers({}, {3})}, {3}, {0, 1, 0});
  expect(OneNode("HammingWindow"), {integers({}, {2})}, {2}, {4.0 / 46, 1});
  expect(OneNode("BlackmanWindow"), {integers({}, {4})}, {4}, {0, 0.34, 1, 0.34});
}

TEST(MelWeightMatrix, isTriangular) {
  const auto outputs = OneNode("MelWeightMatrix")
                           .run<double>({integers({}, {4}), integers({}, {64}), integers({}, {8000}), reals({}, {0}), reals({}, {4000})});
  EXPECT_EQ(outputs[0].shape(), (Shape{33, 4}));
  const std::vector<double> weights = elements(outputs[0]);
  for (std::size_t f = 0; f < 4; ++f) {
    double most = 0;
    for (std::size_t bin = 0; bin < 33; ++bin) most = std::max(most, weights[bin * 4 + f]);
    EXPECT_EQ(most, 1) << "filter " << f;
  }
}

}  // namespace
}  // namespace assay::oracle
