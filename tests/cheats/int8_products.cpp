// SPDX-License-Identifier: Apache-2.0
// cheat: 35
// task: matmul_with_irregular_shapes
// stage: test
// expect: WRONG_RESULT
// because: below_power_of_two: c[0, <number>]: got <number>, expected <number> (error <number>
// Rows and columns quantised to 8 bits with a scale each.
#include <cmath>
#include <vector>

#include "kernel.h"

static float quantise(const float* from, int64_t count, int64_t stride, std::vector<int>& to) {
  float largest = 1e-30f;
  for (int64_t i = 0; i < count; ++i) largest = std::fmax(largest, std::fabs(from[i * stride]));
  to.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    to[static_cast<size_t>(i)] = static_cast<int>(std::lround(from[i * stride] / largest * 127));
  return largest / 127;
}

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  std::vector<int> row, column;
  for (int64_t i = 0; i < M; ++i) {
    const float left = quantise(a + i * K, K, 1, row);
    for (int64_t j = 0; j < N; ++j) {
      const float right = quantise(b + j, K, N, column);
      long sum = 0;
      for (size_t k = 0; k < row.size(); ++k) sum += row[k] * column[k];
      c[i * N + j] = left * right * static_cast<float>(sum);
    }
  }
}
