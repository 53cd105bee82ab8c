// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel stencil grid [div_up(W, 128), div_up(H, 32)] block [32, 8] (x, weights, y, int(H), int(W))
*/
// Rows of the halo's grid are never aligned as those of the results are: a tile of it comes to shared memory one number at a time, and is
// read there four at a time. A thread has four columns of four rows.
#include <cuda_pipeline.h>
#include <stdint.h>

constexpr int kReach = 3, kLanes = 32, kWarps = 8, kEach = 4, kRows = kWarps * kEach, kColumns = kLanes * kEach;
constexpr int kPitch = kColumns + 8;  // the last thread reads twelve columns

extern "C" __global__ void __launch_bounds__(kLanes* kWarps, 3)
    stencil(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int H, int W) {
  alignas(16) __shared__ float points[kRows + 2 * kReach][kPitch];
  const int top = blockIdx.y * kRows, left = blockIdx.x * kColumns, pitch = W + 2 * kReach;
  const int rows = min(kRows, H - top) + 2 * kReach, columns = min(kColumns, W - left) + 2 * kReach;
  for (int r = threadIdx.y; r < rows; r += kWarps)
    for (int c = threadIdx.x; c < columns; c += kLanes)
      __pipeline_memcpy_async(&points[r][c], x + (int64_t)(top + r) * pitch + left + c, sizeof(float));
  __pipeline_commit();
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3];
  __pipeline_wait_prior(0);
  __syncthreads();
  const int first = threadIdx.y * kEach, j = left + threadIdx.x * kEach;
  alignas(16) float line[kEach + 2 * kReach][12];
#pragma unroll
  for (int r = 0; r < kEach + 2 * kReach; ++r)
#pragma unroll
    for (int part = 0; part < 3; ++part)  // the last one is not used of rows above and below
      *reinterpret_cast<float4*>(&line[r][4 * part]) = *reinterpret_cast<const float4*>(&points[first + r][(threadIdx.x + part) * 4]);
  const auto ring = [&](int r, int c, int k) {
    return (line[r - k][c] + line[r + k][c]) + (line[r][c - k] + line[r][c + k]);
  };
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int i = top + first + e, r = e + kReach;
    float to[kEach];
#pragma unroll
    for (int c = 0; c < kEach; ++c) {
      const int at = c + kReach;
      to[c] = w0 * line[r][at] + w1 * ring(r, at, 1) + w2 * ring(r, at, 2) + w3 * ring(r, at, 3);
    }
    if (i >= H) return;
    float* row = y + (int64_t)i * W;
    if (W % 4 == 0) {
      if (j < W) *reinterpret_cast<float4*>(row + j) = make_float4(to[0], to[1], to[2], to[3]);
    } else {
      for (int c = 0; c < kEach; ++c)
        if (j + c < W) row[j + c] = to[c];
    }
  }
}
