// SPDX-License-Identifier: Apache-2.0
// A row of a is quantised once; then rows of b are added to a row of 32-bit sums, which takes vectors.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void matmul_quantized_rows_float16(const float16* a, const int8_t* b, const float* scale, float16* y, int64_t M, int64_t K,
                                              int64_t N) {
#pragma omp parallel
  {
    std::vector<int32_t> sums(N);
#pragma omp for
    for (int64_t m = 0; m < M; ++m) {
      float most = 0;
      for (int64_t k = 0; k < K; ++k) most = std::max(most, std::fabs(static_cast<float>(a[m * K + k])));
      const float row_scale = std::max(most / 127.0f, 0x1p-20f);
      std::fill(sums.begin(), sums.end(), 0);
      for (int64_t k = 0; k < K; ++k) {
        const int32_t code = static_cast<int32_t>(std::nearbyint(static_cast<float>(a[m * K + k]) / row_scale));
        for (int64_t n = 0; n < N; ++n) sums[n] += code * b[k * N + n];
      }
      for (int64_t n = 0; n < N; ++n) y[m * N + n] = static_cast<float16>(static_cast<float>(sums[n]) * row_scale * scale[n]);
    }
  }
}
