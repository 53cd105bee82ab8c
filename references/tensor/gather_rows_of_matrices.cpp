// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void gather_rows_of_matrices(const float* x, const int64_t* rows, float* y, int64_t B, int64_t M, int64_t N, int64_t K) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t k = 0; k < K; ++k) std::copy_n(x + (b * M + rows[k]) * N, N, y + (b * K + k) * N);
}
