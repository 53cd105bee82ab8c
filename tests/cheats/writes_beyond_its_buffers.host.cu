// SPDX-License-Identifier: Apache-2.0
// cheat: 37
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: CUDA_ERROR_ILLEGAL_ADDRESS
// A grid that is rounded up, and no comparison with the length.
#include "kernel.h"

__global__ void relu_of(const float* x, float* y) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  y[i] = x[i] < 0 ? 0 : x[i];
}

void relu(const float* x, float* y, int64_t N, int64_t C, cudaStream_t stream) {
  if (N * C > 0) relu_of<<<(N * C + 255) / 256, 256, 0, stream>>>(x, y);
}
