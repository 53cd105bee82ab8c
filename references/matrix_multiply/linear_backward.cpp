// SPDX-License-Identifier: Apache-2.0
// Two products of matrices, blocks/product.h, and the sums of columns.
#include "blocks/product.h"

#include "kernel.h"

extern "C" void linear_backward(const float* x, const float* w, const float* dy, float* dx, float* dw, float* db, int64_t N, int64_t K,
                                int64_t M) {
  blocks::product(N, K, M, blocks::row_major(dy, M), blocks::row_major(w, K), dx, K);
  blocks::product(M, K, N, blocks::transposed(dy, M), blocks::row_major(x, K), dw, K);
  std::fill_n(db, M, 0.0f);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t m = 0; m < M; ++m) db[m] += dy[n * M + m];
}
