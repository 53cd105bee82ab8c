// SPDX-License-Identifier: Apache-2.0
// One pass over the three tensors. Squares are added in double: it costs nothing beside reading them, no
// square overflows, and the difference of the two distances keeps its digits.
#include <cmath>

#include "kernel.h"

extern "C" void triplet_margin_loss(const float* anchor, const float* positive, const float* negative,
                                    float* y, int64_t N, int64_t D) {
  constexpr float eps = 1e-6f;
  constexpr double margin = 1.0;
  double total = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (int64_t n = 0; n < N; ++n) {
    const float* a = anchor + n * D;
    const float* p = positive + n * D;
    const float* q = negative + n * D;
    double to_positive = 0.0, to_negative = 0.0;
#pragma omp simd reduction(+ : to_positive, to_negative)
    for (int64_t d = 0; d < D; ++d) {
      double dp = a[d] - p[d] + eps;
      double dq = a[d] - q[d] + eps;
      to_positive += dp * dp;
      to_negative += dq * dq;
    }
    double excess = std::sqrt(to_positive) - std::sqrt(to_negative) + margin;
    total += excess < 0.0 ? 0.0 : excess;  // a NaN stays one
  }
  *y = static_cast<float>(total / static_cast<double>(N));
}
