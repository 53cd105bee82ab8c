// SPDX-License-Identifier: Apache-2.0
// Both rows in one pass over b.
#include <vector>

#include "kernel.h"

void dot_of_two_rows(const float* a, const float* b, const float* c, float* y, int64_t K, int64_t N) {
  std::vector<float> rows(c, c + 2 * N);
  for (int64_t k = 0; k < K; ++k)
    for (int64_t n = 0; n < N; ++n) {
      rows[n] += a[k] * b[k * N + n];
      rows[N + n] += a[K + k] * b[k * N + n];
    }
  double sum = 0;
  for (int64_t n = 0; n < N; ++n) sum += static_cast<double>(rows[n]) * rows[N + n];
  *y = static_cast<float>(sum);
}
