#include "kernel.h"
#include <cuda_runtime.h>

// CUDA kernel for the ReLU activation
__global__ void relu_kernel(const float* x, float* y, int64_t n) {
    int64_t idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        y[idx] = fmaxf(x[idx], 0.0f);
    }
}

extern "C" void relu(const float* x, float* y, int64_t N, int64_t C) {
    int64_t n = N * C;
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    relu_kernel<<<blocks, threads>>>(x, y, n);
    cudaDeviceSynchronize();
}
