// SPDX-License-Identifier: Apache-2.0
// One pass over each half of a row.
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void swiglu_packed_backward(const float* xz, const float* dy, float* dxz, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* x = xz + n * 2 * C;
    const float* z = x + C;
    const float* d = dy + n * C;
    float* dx = dxz + n * 2 * C;
    float* dz = dx + C;
    for (int64_t c = 0; c < C; ++c) {
      const float s = 1 / (1 + blocks::exp(-x[c]));
      dx[c] = d[c] * z[c] * (s * (1 + x[c] * (1 - s)));
      dz[c] = d[c] * (x[c] * s);
    }
  }
}
