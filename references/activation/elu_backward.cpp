// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

void elu_backward(const float* dy, const float* x, const float* alpha, const float* scale, const float* input_scale, float* dx, int64_t N,
                  int64_t C) {
  const float positive = scale[0], inner = input_scale[0], negative = inner * (alpha[0] * positive);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) dx[i] = dy[i] * (x[i] > 0.0f ? positive : negative * blocks::exp(inner * x[i]));
}
