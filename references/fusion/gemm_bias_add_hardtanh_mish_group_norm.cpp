// SPDX-License-Identifier: Apache-2.0
// The product first, then the groups of each row by their own mean and variance, in place.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

namespace {

// tanh(ln(1 + p)) = p (p + 2) / (p (p + 2) + 2)
float mish_of_held(float z) {
  const float held = z < -1 ? -1 : z > 1 ? 1 : z;  // NaN stays
  const float power = blocks::exp(held), ratio = power * (power + 2);
  return held * (ratio / (ratio + 2));
}

}  // namespace

extern "C" void gemm_bias_add_hardtanh_mish_group_norm(const float* x, const float* w, const float* b,
                                                       const float* shift, const float* scale, const float* bias,
                                                       float* y, int64_t N, int64_t K, int64_t G, int64_t C) {
  blocks::product(N, G * C, K, blocks::row_major(x, K), blocks::transposed(w, K), y, G * C);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    float* row = y + n * G * C;
    for (int64_t f = 0; f < G * C; ++f) row[f] = mish_of_held(row[f] + b[f] + shift[f]);
    for (int64_t first = 0; first < G * C; first += C) {
      double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t f = first; f < first + C; ++f) sum += row[f];
      const double mean = sum / C;
#pragma omp simd reduction(+ : squares)
      for (int64_t f = first; f < first + C; ++f) squares += (row[f] - mean) * (row[f] - mean);
      const float factor = static_cast<float>(1 / std::sqrt(squares / C + 1e-5));
      for (int64_t f = first; f < first + C; ++f)
        row[f] = static_cast<float>(row[f] - mean) * factor * scale[f] + bias[f];
    }
  }
}
