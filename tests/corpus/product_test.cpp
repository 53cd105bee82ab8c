// SPDX-License-Identifier: Apache-2.0
// references/blocks/product.h, integer_product.h, convolution.h and fourier.h against plain loops, on drawn shapes, strides and paddings.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "blocks/convolution.h"
#include "blocks/fourier.h"
#include "blocks/integer_product.h"

namespace {

using blocks::Axis, blocks::Convolution, blocks::convolve, blocks::convolve_transposed;

class Drawn : public testing::TestWithParam<int> {
 protected:
  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(engine_); }
  std::vector<float> numbers(std::int64_t count) {
    std::normal_distribution<float> normal;
    std::vector<float> drawn(static_cast<std::size_t>(count));
    for (float& x : drawn) x = normal(engine_);
    return drawn;
  }
  Axis axis(bool is_there) {
    Axis drawn;
    if (!is_there) return drawn;
    drawn = {0, below(4) + 1, 0, below(3) + 1, below(3), below(2) + 1};
    const std::int64_t reach = (drawn.taps - 1) * drawn.dilation;
    drawn.in = below(20) + reach + 1;
    drawn.out = (drawn.in + 2 * drawn.pad - reach - 1) / drawn.stride + 1;
    return drawn;
  }
  Convolution convolution() {
    const std::int64_t axes = below(3), groups = below(3) + 1;
    return {below(2) + 1, groups * (below(5) + 1), groups * (below(20) + 1), groups, axis(axes == 2), axis(axes >= 1), axis(true)};
  }

 private:
  std::mt19937 engine_{static_cast<unsigned>(GetParam())};
};

constexpr double kTolerance = 1e-4;

TEST_P(Drawn, ProductIsThatOfPlainLoops) {
  // Few rows and many are different code, and so are few rows of a long matrix.
  const std::int64_t M = below(GetParam() % 2 == 0 ? 50 : 150) + 1, K = below(700), gap = below(4);
  const std::int64_t N = below(GetParam() % 8 == 2 ? 9000 : GetParam() % 4 == 0 ? 1500 : 90) + 1;
  const std::vector<float> a = numbers(M * K), b = numbers(K * N);
  const bool a_turned = below(2) != 0, b_turned = below(2) != 0, adds = below(2) != 0;
  std::vector<float> c(static_cast<std::size_t>(M * (N + gap)), 7);
  blocks::product(M, N, K, a_turned ? blocks::transposed(a.data(), M) : blocks::row_major(a.data(), K),
                  b_turned ? blocks::transposed(b.data(), K) : blocks::row_major(b.data(), N), c.data(), N + gap, adds);
  for (std::int64_t i = 0; i < M; ++i)
    for (std::int64_t j = 0; j < N + gap; ++j) {
      double sum = adds || j >= N ? 7 : 0;
      for (std::int64_t k = 0; k < K && j < N; ++k)
        sum += static_cast<double>(a[a_turned ? k * M + i : i * K + k]) * b[b_turned ? j * K + k : k * N + j];
      ASSERT_NEAR(c[i * (N + gap) + j], sum, kTolerance) << M << " x " << K << " x " << N << " at " << i << ", " << j;
    }
}

TEST_P(Drawn, ProductOfIntegersIsExact) {
  const std::int64_t M = below(20) + 1, N = below(40) + 1, K = below(4000) + 1;
  std::vector<float> a(static_cast<std::size_t>(M * K)), b(static_cast<std::size_t>(K * N));
  for (float& x : a) x = below(3) != 0 ? -128 : static_cast<float>(below(256) - 128);
  for (float& x : b) x = below(3) != 0 ? -128 : static_cast<float>(below(256) - 128);
  const std::vector<std::int32_t> sums = blocks::integer_product(M, N, K, a.data(), blocks::row_major(b.data(), N), 128 * 128);
  for (std::int64_t i = 0; i < M * N; ++i) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < K; ++k) sum += static_cast<std::int64_t>(a[i / N * K + k]) * static_cast<std::int64_t>(b[k * N + i % N]);
    ASSERT_EQ(sums[i], sum);
  }
}

TEST_P(Drawn, TransformIsFouriers) {
  const std::int64_t n = below(150) + 1, lanes = below(20) + 1;
  blocks::Numbers x(n * lanes), room(n * lanes);
  x.real = numbers(n * lanes), x.imaginary = numbers(n * lanes);
  const blocks::Numbers given = x;
  blocks::transform(x, room, n, lanes, blocks::roots_of_unity(n));
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      double real = 0, imaginary = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const double angle = -2 * M_PI * static_cast<double>(k * i % n) / static_cast<double>(n), c = std::cos(angle), s = std::sin(angle);
        const double p = given.real[i * lanes + lane], q = given.imaginary[i * lanes + lane];
        real += p * c - q * s, imaginary += p * s + q * c;
      }
      ASSERT_NEAR(x.real[k * lanes + lane], real, kTolerance) << k << " of " << n;
      ASSERT_NEAR(x.imaginary[k * lanes + lane], imaginary, kTolerance) << k << " of " << n;
    }
}

/// use(output, input, weight), each by its place, for each product of a convolution.
template <class Use>
void each_term(const Convolution& s, Use&& use) {
  const std::int64_t channels = s.C / s.groups, outputs = s.O / s.groups;
  for (std::int64_t n = 0; n < s.N; ++n)
    for (std::int64_t o = 0; o < s.O; ++o)
      for (std::int64_t q = 0; q < s.out(); ++q)
        for (std::int64_t k = 0; k < channels * s.taps(); ++k) {
          const std::int64_t tap = k % s.taps();
          const std::int64_t d = s.depth.seen(q / (s.height.out * s.width.out), tap / (s.height.taps * s.width.taps));
          const std::int64_t h = s.height.seen(q / s.width.out % s.height.out, tap / s.width.taps % s.height.taps);
          const std::int64_t w = s.width.seen(q % s.width.out, tap % s.width.taps);
          if (d < 0 || d >= s.depth.in || h < 0 || h >= s.height.in || w < 0 || w >= s.width.in) continue;
          const std::int64_t c = o / outputs * channels + k / s.taps();
          use((n * s.O + o) * s.out() + q, (n * s.C + c) * s.in() + (d * s.height.in + h) * s.width.in + w, o * channels * s.taps() + k);
        }
}

void expect_near(const std::vector<float>& got, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], kTolerance) << "at " << i;
}

std::vector<double> biases(const std::vector<float>& bias, std::int64_t samples, std::int64_t size) {
  std::vector<double> all;
  for (std::int64_t n = 0; n < samples; ++n)
    for (const float each : bias) all.insert(all.end(), static_cast<std::size_t>(size), each);
  return all;
}

TEST_P(Drawn, ConvolutionIsThatOfPlainLoops) {
  const Convolution s = convolution();
  const std::vector<float> x = numbers(s.N * s.C * s.in()), w = numbers(s.O * s.C / s.groups * s.taps());
  const std::vector<float> bias = below(2) != 0 ? numbers(s.O) : std::vector<float>(static_cast<std::size_t>(s.O));
  std::vector<float> y(static_cast<std::size_t>(s.N * s.O * s.out()), NAN);
  convolve(s, x.data(), w.data(), bias.front() == 0 ? nullptr : bias.data(), y.data());
  std::vector<double> expected = biases(bias, s.N, s.out());
  each_term(s, [&](std::int64_t out, std::int64_t in, std::int64_t weight) { expected[out] += static_cast<double>(x[in]) * w[weight]; });
  expect_near(y, expected);
}

TEST_P(Drawn, TransposedConvolutionIsThatOfPlainLoops) {
  const Convolution s = convolution();
  const std::vector<float> x = numbers(s.N * s.O * s.out()), w = numbers(s.O * s.C / s.groups * s.taps());
  const std::vector<float> bias = below(2) != 0 ? numbers(s.C) : std::vector<float>(static_cast<std::size_t>(s.C));
  std::vector<float> y(static_cast<std::size_t>(s.N * s.C * s.in()), NAN);
  Convolution turned = s;
  std::swap(turned.C, turned.O);
  convolve_transposed(turned, x.data(), w.data(), bias.front() == 0 ? nullptr : bias.data(), y.data());
  std::vector<double> expected = biases(bias, s.N, s.in());
  each_term(s, [&](std::int64_t out, std::int64_t in, std::int64_t weight) { expected[in] += static_cast<double>(x[out]) * w[weight]; });
  expect_near(y, expected);
}

INSTANTIATE_TEST_SUITE_P(, Drawn, testing::Range(0, 40));

}  // namespace
