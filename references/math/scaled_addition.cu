// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add grid [div_up(C, 1024), div_up(N, 4)] block [256] (x, y, alpha, z, N, C)
*/
// A thread has columns of four rows, and reads the vector once for all of them. It takes four neighbouring columns at a time where rows are
// a multiple of that.
constexpr int kThreads = 256, kRows = 4;

__device__ float sum_of(float x, float factor, float y) { return x + factor * y; }
__device__ float4 sum_of(float4 x, float factor, float4 y) {
  return make_float4(sum_of(x.x, factor, y.x), sum_of(x.y, factor, y.y), sum_of(x.z, factor, y.z), sum_of(x.w, factor, y.w));
}

template <class Unit>
__device__ void add_rows(const float* __restrict__ x, const float* __restrict__ y, float factor, float* __restrict__ z, int rows,
                         long long units) {
  const Unit* in = reinterpret_cast<const Unit*>(x);
  Unit* out = reinterpret_cast<Unit*>(z);
#pragma unroll 1
  for (long long u = blockIdx.x * (long long)kThreads + threadIdx.x; u < units; u += gridDim.x * (long long)kThreads) {
    const Unit added = reinterpret_cast<const Unit*>(y)[u];
    Unit held[kRows];
#pragma unroll
    for (int n = 0; n < kRows; ++n)
      if (n < rows) held[n] = in[n * units + u];
#pragma unroll
    for (int n = 0; n < kRows; ++n)
      if (n < rows) out[n * units + u] = sum_of(held[n], factor, added);
  }
}

extern "C" __global__ void add(const float* __restrict__ x, const float* __restrict__ y, const float* __restrict__ alpha,
                               float* __restrict__ z, long long N, long long C) {
  const long long first = blockIdx.y * (long long)kRows;
  const int rows = (int)min(N - first, (long long)kRows);
  x += first * C;
  z += first * C;
  if (C % 4 == 0) add_rows<float4>(x, y, *alpha, z, rows, C / 4);
  else add_rows<float>(x, y, *alpha, z, rows, C);
}
