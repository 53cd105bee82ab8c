// SPDX-License-Identifier: Apache-2.0
// The product first, then its groups one by one, in place.
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

extern "C" void gemm_group_norm_hardtanh(const float* x, const float* w, const float* b, const float* scale, const float* bias, float* y,
                                         int64_t N, int64_t K, int64_t G, int64_t C) {
  blocks::product(N, G * C, K, blocks::row_major(x, K), blocks::transposed(w, K), y, G * C);
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t g = 0; g < G; ++g) {
      float* features = y + (n * G + g) * C;
      for (int64_t c = 0; c < C; ++c) features[c] += b[g * C + c];
      // In double and relative to the first one, so that neither a large offset nor a constant cancels.
      const double origin = features[0];
      double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
      for (int64_t c = 0; c < C; ++c) {
        const double distance = features[c] - origin;
        sum += distance;
        squares += distance * distance;
      }
      const double offset = sum / static_cast<double>(C), mean = origin + offset;
      const float factor = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(C) - offset * offset + 1e-5));
      for (int64_t c = 0; c < C; ++c) {
        const float normal = static_cast<float>(features[c] - mean) * factor * scale[g * C + c] + bias[g * C + c];
        features[c] = normal < -2 ? -2 : normal > 2 ? 2 : normal;  // NaN stays
      }
    }
}
