// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void split_into_three(const float* x, float* first, float* second, float* third, int64_t N, int64_t A, int64_t B, int64_t C,
                                 int64_t D) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* from = x + n * (A + B + C) * D;
    std::copy_n(from, A * D, first + n * A * D);
    std::copy_n(from + A * D, B * D, second + n * B * D);
    std::copy_n(from + (A + B) * D, C * D, third + n * C * D);
  }
}
