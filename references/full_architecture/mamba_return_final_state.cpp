// SPDX-License-Identifier: Apache-2.0
// Backwards in time each step's factor is known, so that the state is a sum to which each step is added once.
#include "blocks/vector_math.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void mamba_return_final_state(const float* x, const float* a, const float* b, float* state, int64_t B, int64_t T, int64_t H,
                                         int64_t P, int64_t N) {
#pragma omp parallel
  {
    std::vector<float> s(N * P);
#pragma omp for collapse(2) schedule(dynamic)
    for (int64_t n = 0; n < B; ++n)
      for (int64_t h = 0; h < H; ++h) {
        std::fill(s.begin(), s.end(), 0.0f);
        float exponent = 0;
        for (int64_t t = T; t-- > 0;) {
          const int64_t head = (n * T + t) * H + h;
          const float factor = blocks::exp(exponent), *value = x + head * P;
          exponent += a[head];
          for (int64_t i = 0; i < N; ++i) {
            const float key = factor * b[head * N + i];
            for (int64_t p = 0; p < P; ++p) s[i * P + p] += key * value[p];
          }
        }
        float* out = state + (n * H + h) * P * N;
        for (int64_t p = 0; p < P; ++p)
          for (int64_t i = 0; i < N; ++i) out[p * N + i] = s[i * P + p];
      }
  }
}
