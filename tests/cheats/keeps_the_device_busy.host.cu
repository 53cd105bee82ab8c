// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: bench
// expect: POLICY|TIMEOUT
// because: busy between its calls
// A thread leaves a kernel of some 40 ms behind whenever it may run, so that it runs while the baseline is timed.
#include <thread>

#include "kernel.h"

__global__ void relu_of(const float* x, float* y, int64_t n) {
  for (int64_t i = blockIdx.x * int64_t{256} + threadIdx.x; i < n; i += gridDim.x * int64_t{256}) y[i] = x[i] < 0 ? 0 : x[i];
}

__global__ void burn(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {}
}

namespace {

void disturb() {
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  while (true) {
    burn<<<2048, 256, 0, own>>>(40000000);
    cudaStreamSynchronize(own);
  }
}

}  // namespace

void relu(const float* x, float* y, int64_t N, int64_t C, cudaStream_t stream) {
  const int64_t n = N * C;
#ifndef WITHOUT_TRICK
  static bool begun = false;
  if (n > 1 << 20 && !begun) {
    begun = true;
    std::thread(disturb).detach();
  }
#endif
  relu_of<<<1024, 256, 0, stream>>>(x, y, n);
}
