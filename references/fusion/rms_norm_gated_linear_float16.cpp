// SPDX-License-Identifier: Apache-2.0
// Weights become float32 once, transposed, so that rows of them are added to rows of the products, which takes vectors. A row's root
// is a factor of both its products.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void rms_norm_gated_linear_float16(const float16* x, const float16* weight, const float16* w, const float16* u, float16* y, int64_t M,
                                              int64_t K, int64_t N) {
  std::vector<float> gates(K * N), values(K * N);
#pragma omp parallel
  {
#pragma omp for
    for (int64_t n = 0; n < N; ++n)
      for (int64_t k = 0; k < K; ++k) {
        gates[k * N + n] = static_cast<float>(w[n * K + k]);
        values[k * N + n] = static_cast<float>(u[n * K + k]);
      }
    std::vector<float> gate(N), value(N);
#pragma omp for
    for (int64_t m = 0; m < M; ++m) {
      std::fill(gate.begin(), gate.end(), 0.0f);
      std::fill(value.begin(), value.end(), 0.0f);
      float squares = 0;
      for (int64_t k = 0; k < K; ++k) {
        const float number = static_cast<float>(x[m * K + k]), factor = number * static_cast<float>(weight[k]);
        squares += number * number;
        for (int64_t n = 0; n < N; ++n) {
          gate[n] += factor * gates[k * N + n];
          value[n] += factor * values[k * N + n];
        }
      }
      const float root = std::sqrt(squares / static_cast<float>(K) + 1e-6f);
      for (int64_t n = 0; n < N; ++n) {
        const float g = gate[n] / root;
        y[m * N + n] = static_cast<float16>(g / (1 + blocks::exp(-g)) * (value[n] / root));
      }
    }
  }
}
