// SPDX-License-Identifier: Apache-2.0
// cheat: 46
// task: relu
// stage: bench
// expect: WRONG_RESULT
// because: timed call: 
// Computes once for each address of an input, and gives the same results again.
#include "kernel.h"

__global__ void relu_of(const float* x, float* y, int64_t n) {
  for (int64_t i = blockIdx.x * int64_t{256} + threadIdx.x; i < n; i += gridDim.x * int64_t{256}) y[i] = x[i] < 0 ? 0 : x[i];
}

void relu(const float* x, float* y, int64_t N, int64_t C, cudaStream_t stream) {
  const int64_t n = N * C;
  static const float* last = nullptr;
  static float* results = nullptr;
  if (n > 1 << 20 && x == last) {
    cudaMemcpyAsync(y, results, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    return;
  }
  relu_of<<<1024, 256, 0, stream>>>(x, y, n);
  if (n <= 1 << 20) return;
  if (results == nullptr) cudaMalloc(&results, n * sizeof(float));
  cudaMemcpyAsync(results, y, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  last = x;
}
