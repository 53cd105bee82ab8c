// SPDX-License-Identifier: Apache-2.0
// Step by step, with the state of a head in the first-level cache; its rows are vectors.
#include "blocks/vector_math.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void mamba_return_y(const float* x, const float* a, const float* b, const float* c, float* y, int64_t B, int64_t T, int64_t H,
                               int64_t P, int64_t N) {
#pragma omp parallel
  {
    std::vector<float> s(N * P);
#pragma omp for collapse(2) schedule(dynamic)
    for (int64_t n = 0; n < B; ++n)
      for (int64_t h = 0; h < H; ++h) {
        std::fill(s.begin(), s.end(), 0.0f);
        for (int64_t t = 0; t < T; ++t) {
          const int64_t head = (n * T + t) * H + h;
          const float fade = blocks::exp(a[head]), *value = x + head * P;
          float* out = y + head * P;
          std::fill_n(out, P, 0.0f);
          for (int64_t i = 0; i < N; ++i) {
            float* row = s.data() + i * P;
            const float key = b[head * N + i], query = c[head * N + i];
            for (int64_t p = 0; p < P; ++p) {
              row[p] = fade * row[p] + key * value[p];
              out[p] += query * row[p];
            }
          }
        }
      }
  }
}
