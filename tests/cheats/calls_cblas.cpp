// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: matmul_with_irregular_shapes
// stage: compile
// expect: POLICY
// because: calls cblas_sgemm
// Calls a BLAS that the machine may have. Nothing but the languages' libraries is linked.
#include "kernel.h"

extern "C" void cblas_sgemm(int, int, int, int, int, int, float, const float*, int, const float*, int, float,
                            float*, int);

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  const int m = static_cast<int>(M), k = static_cast<int>(K), n = static_cast<int>(N);
  cblas_sgemm(101, 111, 111, m, n, k, 1, a, k, b, n, 0, c, n);
}
