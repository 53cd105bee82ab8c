// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void permute_reversed_axes(const float* x, float* y, int64_t I, int64_t J, int64_t K, int64_t L) {
#pragma omp parallel for
  for (int64_t i = 0; i < I; ++i) {
    for (int64_t j = 0; j < J; ++j) {
      for (int64_t k = 0; k < K; ++k) {
        for (int64_t l = 0; l < L; ++l) y[((l * K + k) * J + j) * I + i] = x[((i * J + j) * K + k) * L + l];
      }
    }
  }
}
