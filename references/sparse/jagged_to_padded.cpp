// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void jagged_to_padded(const float* values, const int64_t* offsets, float* y, [[maybe_unused]] int64_t T, int64_t D, int64_t P,
                                 [[maybe_unused]] int64_t B) {
  constexpr int64_t most = 32;
#pragma omp parallel for
  for (int64_t b = 0; b < P - 1; ++b) {
    const int64_t count = std::min(most, offsets[b + 1] - offsets[b]);
    float* rest = std::copy_n(values + offsets[b] * D, count * D, y + b * most * D);
    std::fill_n(rest, (most - count) * D, 0.0f);
  }
}
