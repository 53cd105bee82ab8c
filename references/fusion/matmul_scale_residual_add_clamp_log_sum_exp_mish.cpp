// SPDX-License-Identifier: Apache-2.0
// The whole product first, then its rows one by one.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float mish(float z) {
  const float softplus = std::max(z, 0.0f) + blocks::log1p_of_unit(blocks::exp(-std::fabs(z)));
  return z * blocks::tanh(softplus);
}

}  // namespace

extern "C" void matmul_scale_residual_add_clamp_log_sum_exp_mish(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K,
                                                                 int64_t N) {
  std::vector<float> z(M * N);
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), z.data(), N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* row = &z[m * N];
    float top = -INFINITY, total = 0.0f;
#pragma omp simd reduction(max : top)
    for (int64_t n = 0; n < N; ++n) {
      const float scaled = 4.0f * (row[n] + b[n]), raised = scaled < -10.0f ? -10.0f : scaled;
      const float clamped = 10.0f < raised ? 10.0f : raised;
      row[n] = clamped;
      top = top < clamped ? clamped : top;
    }
#pragma omp simd reduction(+ : total)
    for (int64_t n = 0; n < N; ++n) total += blocks::exp(row[n] - top);
    const float l = top + blocks::log(total);
    y[m] = l * mish(l);
  }
}
