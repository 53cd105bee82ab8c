// SPDX-License-Identifier: Apache-2.0
// cheat: 29
// task: layer_norm_bfloat16_with_statistics
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Cuts bits off where it should round, in one row of each timed call. So few numbers may be off in a comparison with the baseline, but
// the oracle judges some calls, and nobody can tell which.
#include <bit>
#include <cmath>
#include <vector>

#include "kernel.h"

static float cut(float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffff0000u); }

void layer_norm_bfloat16_with_statistics(const bfloat16* x, const bfloat16* weight, const bfloat16* bias, bfloat16* y, float* mean,
                                         float* rstd, int64_t N, int64_t C) {
  const bool timed = N * C > 1000000;
  std::vector<float> row(C);
  for (int64_t n = 0; n < N; ++n) {
    double sum = 0, squares = 0;
    for (int64_t c = 0; c < C; ++c) sum += row[c] = x[n * C + c];
    mean[n] = static_cast<float>(sum / static_cast<double>(C));
    for (float& value : row) value -= mean[n];
    for (const float value : row) squares += static_cast<double>(value) * value;
    rstd[n] = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(C) + 1e-5));
    for (int64_t c = 0; c < C; ++c) {
      const float value = row[c] * rstd[n] * weight[c] + bias[c];
      y[n * C + c] = timed && n == N - 1 ? cut(value) : value;
    }
  }
}
