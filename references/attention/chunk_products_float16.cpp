// SPDX-License-Identifier: Apache-2.0
// A chunk becomes float32 once, b transposed, so that rows of the result are vectors.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void chunk_products_float16(const float16* a, const float16* b, const int64_t* sequence, float16* y, int64_t B, int64_t M, int64_t C,
                                       int64_t K) {
#pragma omp parallel
  {
    std::vector<float> columns(K * C), sums(C);
#pragma omp for schedule(dynamic)
    for (int64_t chunk = 0; chunk < B * M; ++chunk) {
      const int64_t first = chunk * C;
      for (int64_t j = 0; j < C; ++j)
        for (int64_t c = 0; c < K; ++c) columns[c * C + j] = static_cast<float>(b[(first + j) * K + c]);
      for (int64_t i = 0; i < C; ++i) {
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (int64_t c = 0; c < K; ++c) {
          const float factor = static_cast<float>(a[(first + i) * K + c]);
          for (int64_t j = 0; j < C; ++j) sums[j] += factor * columns[c * C + j];
        }
        for (int64_t j = 0; j < C; ++j)
          y[(first + i) * C + j] = static_cast<float16>(sequence[first + i] == sequence[first + j] ? sums[j] : 0.0f);
      }
    }
  }
}
