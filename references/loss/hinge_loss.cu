// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[1024]
   kernel add_pieces grid [1024] block [256]  (x, t, part, N, C)
   kernel average    grid [1]    block [1024] (part, y, long(N * C))
*/
// Threads add up units that lie a grid apart, and step from column to column without a division; what blocks have is added in double.
constexpr int kThreads = 256, kBlocks = 1024;

__device__ float loss_of(float x, float t) {
  const float margin = 1 - x * t;
  return margin < 0 ? 0 : margin;  // NaN stays
}
__device__ float4 loss_of(float4 x, float4 t) {
  return make_float4(loss_of(x.x, t.x), loss_of(x.y, t.y), loss_of(x.z, t.z), loss_of(x.w, t.w));
}
__device__ float add(float a, float b) { return a + b; }
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ double whole(float v) { return v; }
__device__ double whole(float4 v) { return ((double)v.x + v.y) + ((double)v.z + v.w); }

__device__ double sum_of_warp(double value) {
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  return value;
}

// Rows are units of one or four numbers.
template <class Unit>
__device__ double add_units(const float* __restrict__ x, const float* __restrict__ t, long long N, long long units) {
  const long long step = (long long)kBlocks * kThreads, begin = blockIdx.x * (long long)kThreads + threadIdx.x, leap = step % units;
  Unit sum = {};
  long long column = begin % units;
#pragma unroll 4
  for (long long i = begin; i < N * units; i += step) {
    sum = add(sum, loss_of(reinterpret_cast<const Unit*>(x)[i], reinterpret_cast<const Unit*>(t)[column]));
    column += leap;
    if (column >= units) column -= units;
  }
  return whole(sum);
}

extern "C" __global__ void add_pieces(const float* __restrict__ x, const float* __restrict__ t, double* __restrict__ part, long long N,
                                      long long C) {
  __shared__ double warps[kThreads / 32];
  const double sum = sum_of_warp(C % 4 == 0 ? add_units<float4>(x, t, N, C / 4) : add_units<float>(x, t, N, C));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double total = 0;
  for (int warp = 0; warp < kThreads / 32; ++warp) total += warps[warp];
  part[blockIdx.x] = total;
}

extern "C" __global__ void average(const double* __restrict__ part, float* __restrict__ y, long long count) {
  __shared__ double warps[kBlocks / 32];
  double sum = sum_of_warp(part[threadIdx.x]);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = sum_of_warp(warps[threadIdx.x]);
  if (threadIdx.x == 0) *y = (float)(sum / count);
}
