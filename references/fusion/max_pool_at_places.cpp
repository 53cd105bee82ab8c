// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

namespace {

float larger(float a, float b) { return b > a || b != b ? b : a; }

}  // namespace

extern "C" void max_pool_at_places(const float* x, const int64_t* rows, const int64_t* columns, float* y, int64_t N, int64_t C, int64_t H,
                                   int64_t W, int64_t P, int64_t Q) {
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * C; ++plane)
    for (int64_t i = 0; i < P; ++i) {
      const float* upper = x + (plane * (H + 1) + rows[plane * P + i]) * (W + 1);
      const float* lower = upper + W + 1;
      for (int64_t j = 0; j < Q; ++j) {
        const int64_t w = columns[plane * Q + j];
        y[(plane * P + i) * Q + j] = larger(larger(larger(larger(0.0f, upper[w]), upper[w + 1]), lower[w]), lower[w + 1]);
      }
    }
}
