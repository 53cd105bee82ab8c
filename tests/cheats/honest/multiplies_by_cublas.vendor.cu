// SPDX-License-Identifier: Apache-2.0
// task: matmul_with_irregular_shapes
// stage: bench
// cuBLAS, whose matrices are column-major: the transposed product of the transposed matrices.
#include <cublas_v2.h>

#include "kernel.h"

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N, cudaStream_t stream) {
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr) cublasCreate(&handle);
  cublasSetStream(handle, stream);
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(N), static_cast<int>(M), static_cast<int>(K), &one, b, static_cast<int>(N), a,
              static_cast<int>(K), &zero, c, static_cast<int>(N));
}
