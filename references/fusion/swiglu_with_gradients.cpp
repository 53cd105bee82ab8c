// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

void swiglu_with_gradients(const float* a, const float* b, const float* dy, float* y, float* da, float* db, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float gate = 1 / (1 + blocks::exp(-a[i])), smooth = a[i] * gate;
    y[i] = smooth * b[i];
    da[i] = dy[i] * b[i] * (gate + smooth * (1 - gate));
    db[i] = dy[i] * smooth;
  }
}
