#include "kernel.h"
#include <cuda_runtime.h>

__global__ void bilinear_kernel(const float* x, float* y, int64_t NC, int64_t H, int64_t W, int64_t OH, int64_t OW) {
    int64_t idx = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (idx >= NC * OH * OW) return;
    int64_t ow = idx % OW;
    int64_t oh = (idx / OW) % OH;
    int64_t nc = idx / (OW * OH);

    float sy = (oh + 0.5f) * 0.5f - 0.5f;
    float sx = (ow + 0.5f) * 0.5f - 0.5f;
    int64_t y0 = (int64_t)floorf(sy), x0 = (int64_t)floorf(sx);
    float wy = sy - y0, wx = sx - x0;
    int64_t y0c = max((int64_t)0, y0), y1c = min(y0 + 1, H - 1);
    int64_t x0c = max((int64_t)0, x0), x1c = min(x0 + 1, W - 1);

    const float* in = x + nc * H * W;
    float top = (1 - wx) * in[y0c * W + x0c] + wx * in[y0c * W + x1c];
    float bot = (1 - wx) * in[y1c * W + x0c] + wx * in[y1c * W + x1c];
    y[idx] = (1 - wy) * top + wy * bot;
}

extern "C" void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                  int64_t OH, int64_t OW) {
    float *d_x, *d_y;
    size_t in_bytes = N * C * H * W * sizeof(float), out_bytes = N * C * OH * OW * sizeof(float);
    cudaMalloc(&d_x, in_bytes);
    cudaMalloc(&d_y, out_bytes);
    cudaMemcpy(d_x, x, in_bytes, cudaMemcpyHostToDevice);
    int threads = 256;
    int64_t blocks = (N * C * OH * OW + threads - 1) / threads;
    bilinear_kernel<<<blocks, threads>>>(d_x, d_y, N * C, H, W, OH, OW);
    cudaMemcpy(y, d_y, out_bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
}
