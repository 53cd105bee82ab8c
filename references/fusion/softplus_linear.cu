// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel layer grid [div_up(N, 64 - 48 * (1 - min(1, M / 3))), div_up(M, 64)] block [512] (x, w, b, y, M, K, N)
*/
// Of one or two rows a product reads the weights and does little else: a warp has a column of the result, a block 16 of them.
#include "blocks/product.cuh"

__device__ float dot(float a, float b) { return a * b; }
__device__ float dot(float4 a, float4 b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); }

// exp of what is not above 0 does not overflow. NaN stays.
__device__ float softplus(float z) { return (z < 0 ? 0 : z) + log1pf(expf(-fabsf(z))); }

template <class Unit>
__device__ void multiply_few(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y,
                             long long M, long long K, long long N) {
  constexpr int kEach = sizeof(Unit) / sizeof(float);
  const long long n = blockIdx.x * (long long)(kThreads / 32) + threadIdx.x / 32;
  if (n >= N) return;
  const Unit* row = reinterpret_cast<const Unit*>(w + n * K);
  for (long long m = 0; m < M; ++m) {
    const Unit* with = reinterpret_cast<const Unit*>(x + m * K);
    float sum = 0;
#pragma unroll 8
    for (long long u = threadIdx.x % 32; u < K / kEach; u += 32) sum += dot(row[u], with[u]);
    for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(0xffffffff, sum, width);
    if (threadIdx.x % 32 == 0) y[m * N + n] = softplus(sum + b[n]);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    layer(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, long long M,
          long long K, long long N) {
  if (M < 3) return K % 4 == 0 ? multiply_few<float4>(x, w, b, y, M, K, N) : multiply_few<float>(x, w, b, y, M, K, N);
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply(Rows(x, m0, M, K), Rows(w, n0, N, K), 0, K);
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < M && n < N) y[m * N + n] = softplus(whole[e / kTile][e % kTile] + b[n]);
  }
}
