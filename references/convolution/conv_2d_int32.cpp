// SPDX-License-Identifier: Apache-2.0
// Unsigned arithmetic wraps.
#include "kernel.h"

void conv_2d_int32(const int32_t* x, const int32_t* w, int32_t* y, int64_t N, int64_t H, int64_t W, int64_t P, int64_t Q) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t p = 0; p < P; ++p) {
      const int32_t* in = x + (n * H + p) * W;
      int32_t* out = y + (n * P + p) * Q;
#pragma omp simd
      for (int64_t q = 0; q < Q; ++q) {
        uint32_t sum = 0;
        for (int64_t i = 0; i < 3; ++i)
          for (int64_t j = 0; j < 3; ++j)
            sum += static_cast<uint32_t>(in[i * W + q + j]) * static_cast<uint32_t>(w[i * 3 + j]);
        out[q] = static_cast<int32_t>(sum);
      }
    }
}
