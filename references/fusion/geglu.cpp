// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void geglu(const float* a, const float* b, const float* dy, float* y, float* da, float* db, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float x = a[i], square = x * x;
    const float t = blocks::tanh(0.7978846f * (x * (1 + 0.044715f * square)));
    const float half = 0.5f * (1 + t), gelu = x * half;
    y[i] = gelu * b[i];
    db[i] = dy[i] * gelu;
    da[i] = dy[i] * b[i] * (half + 0.5f * x * ((1 - t * t) * (0.7978846f * (1 + 0.134145f * square))));
  }
}
