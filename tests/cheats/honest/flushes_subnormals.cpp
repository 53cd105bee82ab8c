// SPDX-License-Identifier: Apache-2.0
// task: sgd
// Treats subnormal numbers as zero, as many processors and compilers do by default. The bounds allow for it.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernel.h"

static float flush(float x) { return __builtin_fabsf(x) < 0x1p-126f ? 0.0f : x; }

void sgd(const float* param, const float* grad, const float* velocity, float* new_param, float* new_velocity,
         int64_t N, int64_t M) {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  for (int64_t i = 0; i < N * M; ++i) {
    const float speed = flush(0.9f * flush(velocity[i]) + flush(grad[i]));
    new_velocity[i] = speed;
    new_param[i] = flush(flush(param[i]) - flush(0.01f * speed));
  }
}
