// SPDX-License-Identifier: Apache-2.0
// cheat: 14
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Launches blocks of more threads than there are, and does not look at the error.
#include "kernel.h"

__global__ void relu_of(const float* x, float* y, int64_t n) {
  for (int64_t i = blockIdx.x * int64_t{256} + threadIdx.x; i < n; i += gridDim.x * int64_t{256}) y[i] = x[i] < 0 ? 0 : x[i];
}

void relu(const float* x, float* y, int64_t N, int64_t C, cudaStream_t stream) { relu_of<<<1, 4096, 0, stream>>>(x, y, N * C); }
