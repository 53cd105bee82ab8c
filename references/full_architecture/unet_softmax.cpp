// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/layers.h"

#include "kernel.h"

namespace {

// Along rows.
void apply_softmax(blocks::Images& x) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < x.n * x.c * x.h; ++r) {
    float* row = &x.data[r * x.w];
    float largest = row[0], total = 0;
#pragma omp simd reduction(max : largest)
    for (int64_t j = 0; j < x.w; ++j) largest = largest < row[j] ? row[j] : largest;
#pragma omp simd reduction(+ : total)
    for (int64_t j = 0; j < x.w; ++j) total += row[j] = blocks::exp(row[j] - largest);
    for (int64_t j = 0; j < x.w; ++j) row[j] /= total;
  }
}

blocks::Images pool(const blocks::Images& x) {
  blocks::Images y{x.n, x.c, x.h / 2, x.w / 2};
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < x.c * x.n * y.h; ++row)
    for (int64_t i = 0; i < y.w; ++i) {
      const float* from = &x.data[row * 2 * x.w + 2 * i];
      y.data[row * y.w + i] = std::max({from[0], from[1], from[x.w], from[x.w + 1]});
    }
  return y;
}

// The transposed convolution of 2 by 2 taps with stride 2, then the channels of `beside` behind its own.
blocks::Images enlarge(const blocks::Images& x, const float* w, const float* bias, const blocks::Images& beside) {
  const int64_t channels = x.c / 2;
  blocks::Images y{x.n, channels + beside.c, 2 * x.h, 2 * x.w};
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < x.n; ++i) {
    blocks::convolve_transposed({1, x.c, channels, 1, {}, {y.h, 2, x.h, 2}, {y.w, 2, x.w, 2}}, x.image(i), w, bias, y.image(i));
    std::copy_n(beside.image(i), beside.c * y.h * y.w, y.image(i) + channels * y.h * y.w);
  }
  return y;
}

}  // namespace

extern "C" void unet_softmax(const float* x, const float* weights, const float* scale, const float* up, const float* up_bias,
                             const float* last, const float* bias, float* y, int64_t N, int64_t I, int64_t A, int64_t B, int64_t C,
                             int64_t K) {
  // The kernel and scales of a layer follow those of the layer before it.
  auto pair = [&](blocks::Images in, int64_t channels) {
    const std::vector<float> none(channels);  // shifts
    for (int layer = 0; layer < 2; ++layer) {
      blocks::Images out = blocks::convolved(in, weights, nullptr, channels, 3, 1);
      blocks::normalize(out, scale, none.data(), -std::numeric_limits<float>::infinity());
      apply_softmax(out);
      weights += channels * in.c * 9, scale += channels;
      in = std::move(out);
    }
    return in;
  };
  std::vector<blocks::Images> kept;
  blocks::Images h{N, I, 16 * A, 16 * B, {x, x + N * I * 16 * A * 16 * B}};
  for (int64_t factor : {1, 2, 4, 8}) {
    kept.push_back(pair(std::move(h), factor * C));
    h = pool(kept.back());
  }
  h = pair(std::move(h), 16 * C);
  for (int64_t factor : {8, 4, 2, 1}) {
    blocks::Images larger = enlarge(h, up, up_bias, kept.back());
    up += h.c * (h.c / 2) * 4, up_bias += h.c / 2;
    kept.pop_back();
    h = pair(std::move(larger), factor * C);
  }
  blocks::convolve({N, C, K, 1, {}, {h.h, 1, h.h}, {h.w, 1, h.w}}, h.data.data(), last, bias, y);
}
