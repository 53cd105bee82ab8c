// SPDX-License-Identifier: Apache-2.0
// The tokens of a prompt get rows that lie one behind the other.
#include <algorithm>

#include "kernel.h"

extern "C" void rotary_rows_of_packed_tokens(const float* cosines, const float* sines, const int64_t* offsets, float* token_cosines,
                                             float* token_sines, [[maybe_unused]] int64_t L, int64_t E, int64_t B, [[maybe_unused]] int64_t T) {
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < B; ++b) {
    const int64_t count = (offsets[b + 1] - offsets[b]) * E;
    std::copy_n(cosines, count, token_cosines + offsets[b] * E);
    std::copy_n(sines, count, token_sines + offsets[b] * E);
  }
}
