// SPDX-License-Identifier: Apache-2.0
// With e = exp(x), tanh(log(1 + e)) is t = n / (n + 2) for n = e (e + 2), and (1 - t^2) e / (1 + e) is 4 e (1 + e) / (n + 2)^2: one
// exponential and one quotient. From 20 on the derivative is 1, below -104 it is 0.
#include "blocks/vector_math.h"

#include "kernel.h"

void mish_backward(const float* dy, const float* x, float* dx, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float raised = x[i] < -104.0f ? -104.0f : x[i], near = raised > 20.0f ? 20.0f : raised;
    const float e = blocks::exp(near), whole = e * (e + 2.0f) + 2.0f;
    dx[i] = dy[i] * (e * ((e + 2.0f) * whole + 4.0f * near * (1.0f + e)) / (whole * whole));
  }
}
