// SPDX-License-Identifier: Apache-2.0
// Rows, then strips of columns: each sum is taken by one thread, in one order, so that equal inputs give equal results.
#include <algorithm>

#include "kernel.h"

#include "blocks/bfloat16.h"

extern "C" void rms_norm_residual_backward(const bfloat16* dy, const float* u, const float* rstd, const float* weight, bfloat16* dx,
                                           float* dweight, int64_t N, int64_t C) {
  constexpr int64_t kStrip = 256;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int64_t n = 0; n < N; ++n) {
      const bfloat16* g = dy + n * C;
      const float* row = u + n * C;
      float along = 0;
#pragma omp simd reduction(+ : along)
      for (int64_t c = 0; c < C; ++c) along += blocks::load(g[c]) * weight[c] * row[c];
      const float mean = along / static_cast<float>(C);
      for (int64_t c = 0; c < C; ++c) blocks::store(rstd[n] * (blocks::load(g[c]) * weight[c] - row[c] * mean), dx[n * C + c]);
    }
#pragma omp for
    for (int64_t first = 0; first < C; first += kStrip) {
      const int64_t end = std::min(first + kStrip, C);
      std::fill(dweight + first, dweight + end, 0.0f);
      for (int64_t n = 0; n < N; ++n)
        for (int64_t c = first; c < end; ++c) dweight[c] += blocks::load(dy[n * C + c]) * u[n * C + c];
    }
  }
}
