// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(M, 4)] block [256] (a, b, y, M, K)
*/
// A block has four rows, for which it reads the vector once, four numbers at a time where rows are a multiple of that.
constexpr int kThreads = 256, kWarps = kThreads / 32, kRows = 4;

__device__ float dot(float a, float b, float sum) { return fmaf(a, b, sum); }
__device__ float dot(float4 a, float4 b, float sum) { return fmaf(a.x, b.x, fmaf(a.y, b.y, fmaf(a.z, b.z, fmaf(a.w, b.w, sum)))); }

template <class Unit>
__device__ void multiply_rows(const float* __restrict__ a, const float* __restrict__ b, float (&sum)[kRows], int rows, long long K) {
  const long long units = K * sizeof(float) / sizeof(Unit);
  const Unit* vector = reinterpret_cast<const Unit*>(b);
#pragma unroll 2
  for (long long u = threadIdx.x; u < units; u += kThreads) {
    const Unit v = vector[u];
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      if (r < rows) sum[r] = dot(reinterpret_cast<const Unit*>(a + r * K)[u], v, sum[r]);
  }
}

extern "C" __global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long M,
                                    long long K) {
  __shared__ float warps[kRows][kWarps];
  const long long first = blockIdx.x * (long long)kRows;
  const int rows = (int)min(M - first, (long long)kRows);
  float sum[kRows] = {};
  if (K % 4 == 0) multiply_rows<float4>(a + first * K, b, sum, rows, K);
  else multiply_rows<float>(a + first * K, b, sum, rows, K);
  for (int r = 0; r < kRows; ++r) {
    for (int width = 16; width > 0; width /= 2) sum[r] += __shfl_xor_sync(0xffffffff, sum[r], width);
    if (threadIdx.x % 32 == 0) warps[r][threadIdx.x / 32] = sum[r];
  }
  __syncthreads();
  if (threadIdx.x >= rows) return;
  float total = 0;
  for (int warp = 0; warp < kWarps; ++warp) total += warps[threadIdx.x][warp];
  y[first + threadIdx.x] = total;
}
