// SPDX-License-Identifier: Apache-2.0
// The weights are unpacked once; then rows of them are added to a row of the product, which takes vectors.
#include <vector>

#include "kernel.h"

void matmul_int4_float16(const float16* x, const int32_t* q, const float16* scale, const int32_t* zeros, float16* y, int64_t M, int64_t G, int64_t P,
                         int64_t N) {
  const int64_t columns = 8 * N, depth = 8 * G * P;
  std::vector<float> weights(static_cast<std::size_t>(depth * columns));
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int64_t k = 0; k < depth; ++k) {
      const int64_t row = k / 8, group = row / P;
      for (int64_t c = 0; c < columns; ++c) {
        const int code = static_cast<int>(static_cast<uint32_t>(q[row * columns + c]) >> (4 * (k % 8)) & 15);
        const int zero = static_cast<int>(static_cast<uint32_t>(zeros[group * N + c / 8]) >> (4 * (c % 8)) & 15);
        const float16 weight = static_cast<float16>(static_cast<float>(code - zero) * static_cast<float>(scale[group * columns + c]));
        weights[k * columns + c] = static_cast<float>(weight);
      }
    }
    std::vector<float> sums(static_cast<std::size_t>(columns));
#pragma omp for schedule(static)
    for (int64_t m = 0; m < M; ++m) {
      for (int64_t c = 0; c < columns; ++c) sums[c] = 0.0f;
      for (int64_t k = 0; k < depth; ++k) {
        const float factor = static_cast<float>(x[m * depth + k]);
        const float* from = weights.data() + k * columns;
        for (int64_t c = 0; c < columns; ++c) sums[c] += factor * from[c];
      }
      for (int64_t c = 0; c < columns; ++c) y[m * columns + c] = static_cast<float16>(sums[c]);
    }
  }
}
