// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernel.h"

extern "C" void chunk_products_backward_float16(const float16* a, const float16* dy, const float16* residual, float16* db, int64_t B, int64_t M,
                                                int64_t C, int64_t K) {
#pragma omp parallel
  {
    std::vector<float> rows(C * K), sums(K);
#pragma omp for schedule(dynamic)
    for (int64_t chunk = 0; chunk < B * M; ++chunk) {
      const int64_t first = chunk * C;
      for (int64_t i = 0; i < C * K; ++i) rows[i] = static_cast<float>(a[first * K + i]);
      for (int64_t j = 0; j < C; ++j) {
        for (int64_t c = 0; c < K; ++c) sums[c] = static_cast<float>(residual[(first + j) * K + c]);
        for (int64_t i = 0; i < C; ++i) {
          const float factor = static_cast<float>(dy[(first + i) * C + j]);
          for (int64_t c = 0; c < K; ++c) sums[c] += factor * rows[i * K + c];
        }
        for (int64_t c = 0; c < K; ++c) db[(first + j) * K + c] = static_cast<float16>(sums[c]);
      }
    }
  }
}
