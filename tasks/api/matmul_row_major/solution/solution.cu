// SPDX-License-Identifier: Apache-2.0
#include "matmul_row_major.h"

// Row after row is the transposed matrix column after column: c' = b' a'.
cublasStatus_t matmul_row_major(cublasHandle_t handle, const float* a, const float* b, float beta, float* c, int m, int n, int k) {
  const float one = 1;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &beta, c, n);
}
