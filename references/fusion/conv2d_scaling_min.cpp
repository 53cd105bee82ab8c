// SPDX-License-Identifier: Apache-2.0
// One plane at a time: the innermost loop runs along a row of the image.
#include <vector>

#include "kernel.h"

namespace {

// One output channel of one sample.
std::vector<float> plane(const float* x, const float* w, float bias, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  std::vector<float> sum(OH * OW, bias);
  for (int64_t c = 0; c < C; ++c) {
    for (int64_t kh = 0; kh < 3; ++kh) {
      for (int64_t kw = 0; kw < 3; ++kw) {
        const float weight = w[c * 3 * 3 + kh * 3 + kw];
        for (int64_t h = 0; h < OH; ++h) {
          const float* from = x + (c * H + h + kh) * W + kw;
          float* to = &sum[h * OW];
          for (int64_t column = 0; column < OW; ++column) to[column] += weight * from[column];
        }
      }
    }
  }
  return sum;
}

}  // namespace

extern "C" void conv2d_scaling_min(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O, int64_t OH, int64_t OW) {
  const int64_t size = OH * OW;
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    float* low = y + n * size;
    for (int64_t o = 0; o < O; ++o) {
      const std::vector<float> sum = plane(x + n * C * H * W, w + o * C * 3 * 3, b[o], C, H, W, OH, OW);
      for (int64_t i = 0; i < size; ++i) low[i] = o == 0 || !(low[i] <= sum[i]) ? sum[i] : low[i];
    }
    for (int64_t i = 0; i < size; ++i) {
      const float z = low[i];
      low[i] = 2.0f * z;
    }
  }
}
