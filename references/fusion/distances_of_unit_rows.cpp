// SPDX-License-Identifier: Apache-2.0
// Differences are squared as they are: 2 - 2 x z would lose what near rows differ by. z is turned, so that a row of distances takes vectors.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float norm(const float* row, int64_t size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += row[i] * row[i];
  return std::max(std::sqrt(sum), 1e-6f);
}

}  // namespace

extern "C" void distances_of_unit_rows(const float* x, const float* z, float* y, int64_t N, int64_t C, int64_t M) {
  std::vector<float> turned(C * M);
#pragma omp parallel
  {
#pragma omp for
    for (int64_t m = 0; m < M; ++m) {
      const float length = norm(z + m * C, C);
      for (int64_t c = 0; c < C; ++c) turned[c * M + m] = z[m * C + c] / length;
    }
#pragma omp for
    for (int64_t n = 0; n < N; ++n) {
      float* row = y + n * M;
      const float length = norm(x + n * C, C);
      std::fill_n(row, M, 0.0f);
      for (int64_t c = 0; c < C; ++c) {
        const float number = x[n * C + c] / length;
        for (int64_t m = 0; m < M; ++m) {
          const float difference = number - turned[c * M + m];
          row[m] += difference * difference;
        }
      }
      for (int64_t m = 0; m < M; ++m) {
        const float distance = std::sqrt(row[m]);
        row[m] = distance < 1e-4f ? 1e-4f : distance;
      }
    }
  }
}
