// SPDX-License-Identifier: Apache-2.0
// One plane at a time: the innermost loop runs along a row of the image.
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

// One output channel of one sample.
std::vector<float> plane(const float* x, const float* w, float bias, int64_t C, int64_t O, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  std::vector<float> sum(OH * OW, bias);
  for (int64_t c = 0; c < C; ++c) {
    for (int64_t kh = 0; kh < 4; ++kh) {
      for (int64_t kw = 0; kw < 4; ++kw) {
        const float weight = w[c * O * 4 * 4 + kh * 4 + kw];
        for (int64_t h = 0; h < H; ++h) {
          const int64_t oh = 2 * h + kh - 1;
          if (oh < 0 || oh >= OH) continue;
          const float* from = x + (c * H + h) * W;
          float* to = &sum[oh * OW];
          for (int64_t column = 0; column < W; ++column) {
            const int64_t o = 2 * column + kw - 1;
            if (o >= 0 && o < OW) to[o] += weight * from[column];
          }
        }
      }
    }
  }
  return sum;
}

}  // namespace

extern "C" void conv_transpose2d_subtract_tanh(const float* x, const float* w, const float* b, const float* v, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O, int64_t OH, int64_t OW) {
  const int64_t size = OH * OW;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t o = 0; o < O; ++o) {
      const std::vector<float> sum = plane(x + n * C * H * W, w + o * 4 * 4, b[o], C, O, H, W, OH, OW);
      for (int64_t i = 0; i < size; ++i) {
        const float z = sum[i];
        y[(n * O + o) * size + i] = std::tanh(z - v[o]);
      }
    }
  }
}
