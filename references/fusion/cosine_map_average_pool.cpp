// SPDX-License-Identifier: Apache-2.0
// Channels are added up as planes, which takes vectors; then the small map is pooled.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void cosine_map_average_pool(const float* x, const float* z, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t rows = 2 * H, columns = 2 * W;
#pragma omp parallel
  {
    std::vector<float> dot(columns), xx(columns), zz(columns), cosine(rows * columns);
#pragma omp for
    for (int64_t n = 0; n < N; ++n) {
      for (int64_t r = 0; r < rows; ++r) {
        for (auto* sums : {&dot, &xx, &zz}) std::fill(sums->begin(), sums->end(), 0.0f);
        for (int64_t c = 0; c < C; ++c) {
          const float *a = x + ((n * C + c) * rows + r) * columns, *b = z + ((n * C + c) * rows + r) * columns;
          for (int64_t i = 0; i < columns; ++i) {
            dot[i] += a[i] * b[i];
            xx[i] += a[i] * a[i];
            zz[i] += b[i] * b[i];
          }
        }
        for (int64_t i = 0; i < columns; ++i)
          cosine[r * columns + i] = dot[i] / (std::max(std::sqrt(xx[i]), 1e-8f) * std::max(std::sqrt(zz[i]), 1e-8f));
      }
      for (int64_t h = 0; h < H; ++h)
        for (int64_t w = 0; w < W; ++w) {
          float sum = 0;
          for (int64_t r = std::max<int64_t>(2 * h - 1, 0); r < 2 * h + 2; ++r)
            for (int64_t i = std::max<int64_t>(2 * w - 1, 0); i < 2 * w + 2; ++i) sum += cosine[r * columns + i];
          y[(n * H + h) * W + w] = sum / 9;
        }
    }
  }
}
