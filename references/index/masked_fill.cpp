// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "kernel.h"

extern "C" void masked_fill(const float* x, const bool* mask, float* y, int64_t N, int64_t M, int64_t K) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < N * M * K; ++i) y[i] = mask[i] ? -std::numeric_limits<float>::infinity() : x[i];
}
