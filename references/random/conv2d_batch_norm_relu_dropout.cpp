// SPDX-License-Identifier: Apache-2.0
// One output channel at a time, of all samples: its numbers wait in y for their mean and variance.
#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

/// The first word that Philox4x32-10 gives for a counter.
uint32_t first_word(uint64_t key, uint64_t counter) {
  uint32_t c0 = static_cast<uint32_t>(counter), c1 = counter >> 32, c2 = 0, c3 = 0;
  uint32_t k0 = static_cast<uint32_t>(key), k1 = key >> 32;
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
    const uint64_t p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
    c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<uint32_t>(p1);
    c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<uint32_t>(p0);
  }
  return c0;
}

/// Dropout of one number: 0 with probability 1/4.
struct Dropout {
  uint64_t key, first;
  float operator()(float z, uint64_t place) const { return first_word(key, first + place) < (1u << 30) ? 0 : z / 0.75f; }
};

/// A sample's convolution with the 3 by 3 taps of one output channel.
void convolve(const float* x, const float* taps, float* out, int64_t C, int64_t H, int64_t W) {
  const int64_t rows = H - 2, columns = W - 2;
  for (int64_t h = 0; h < rows; ++h) {
    float* row = out + h * columns;
    std::fill_n(row, columns, 0.0f);
    for (int64_t c = 0; c < C; ++c)
      for (int64_t p = 0; p < 3; ++p) {
        const float* in = x + (c * H + h + p) * W;
        const float* k = taps + (c * 3 + p) * 3;
#pragma omp simd
        for (int64_t o = 0; o < columns; ++o) row[o] += k[0] * in[o] + k[1] * in[o + 1] + k[2] * in[o + 2];
      }
  }
}

}  // namespace

extern "C" void conv2d_batch_norm_relu_dropout(const float* x, const float* w, const int64_t* key, const int64_t* first, float* y, int64_t N, int64_t C,
                                               int64_t H, int64_t W, int64_t O) {
  const Dropout dropout{static_cast<uint64_t>(key[0]), static_cast<uint64_t>(first[0])};
  const int64_t plane = (H - 2) * (W - 2);
#pragma omp parallel for
  for (int64_t o = 0; o < O; ++o) {
    double sum = 0, squares = 0;
    for (int64_t n = 0; n < N; ++n) {
      float* out = y + (n * O + o) * plane;
      convolve(x + n * C * H * W, w + o * C * 9, out, C, H, W);
      for (int64_t i = 0; i < plane; ++i) sum += out[i];
    }
    const double mean = sum / (N * plane);
    for (int64_t n = 0; n < N; ++n)
      for (int64_t i = 0; i < plane; ++i) {
        const double distance = y[(n * O + o) * plane + i] - mean;
        squares += distance * distance;
      }
    const double factor = 1 / std::sqrt(squares / (N * plane) + 1e-5);
    for (int64_t n = 0; n < N; ++n)
      for (int64_t i = (n * O + o) * plane; i < (n * O + o + 1) * plane; ++i) {
        const float normal = static_cast<float>((y[i] - mean) * factor);
        y[i] = dropout(normal < 0 ? 0 : normal, i);
      }
  }
}
