// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void decode_bookkeeping_step(int64_t* tokens, const int64_t* sampled, int64_t* positions, int64_t* lengths, int64_t* slots,
                                        const int64_t* page_table, int64_t Q, [[maybe_unused]] int64_t R, int64_t M, int64_t P) {
#pragma omp parallel for
  for (int64_t q = 0; q < Q; ++q) {
    const int64_t position = lengths[q]++;
    tokens[q] = sampled[q];
    positions[q] = position;
    slots[q] = page_table[q * M + position / P] * P + position % P;
  }
}
