// SPDX-License-Identifier: Apache-2.0
// task: relu
// Chooses its own number of threads.
#include <omp.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  omp_set_num_threads(7);
#pragma omp parallel for schedule(guided)
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
