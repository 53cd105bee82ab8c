// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[1024]
   kernel add_scaled grid [1024] block [256]  (x, y, sum, part, N)
   kernel add_parts  grid [1]    block [1024] (part, dot)
*/
// Threads have fours that lie a grid apart, and add up the squares of what they store, each in four sums of its own; what blocks have is
// added in double.
constexpr int kThreads = 256, kBlocks = 1024;

__device__ float scaled_sum(float x, float y) { return y + 2 * x; }

__device__ double sum_of_warp(double value) {
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  return value;
}

extern "C" __global__ void add_scaled(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ sum,
                                      double* __restrict__ part, long long count) {
  __shared__ double warps[kThreads / 32];
  const long long step = (long long)kBlocks * kThreads, fours = count / 4;
  const float4 *left = reinterpret_cast<const float4*>(x), *right = reinterpret_cast<const float4*>(y);
  long long i = blockIdx.x * (long long)kThreads + threadIdx.x;
  float4 squares = make_float4(0, 0, 0, 0);
  if (i < count % 4) {
    const float s = scaled_sum(x[fours * 4 + i], y[fours * 4 + i]);
    sum[fours * 4 + i] = s;
    squares.x = s * s;
  }
#pragma unroll 4
  for (; i < fours; i += step) {
    const float4 v = left[i], w = right[i];
    const float4 s = make_float4(scaled_sum(v.x, w.x), scaled_sum(v.y, w.y), scaled_sum(v.z, w.z), scaled_sum(v.w, w.w));
    reinterpret_cast<float4*>(sum)[i] = s;
    squares = make_float4(squares.x + s.x * s.x, squares.y + s.y * s.y, squares.z + s.z * s.z, squares.w + s.w * s.w);
  }
  const double all = sum_of_warp(((double)squares.x + squares.y) + ((double)squares.z + squares.w));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = all;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double total = 0;
  for (int warp = 0; warp < kThreads / 32; ++warp) total += warps[warp];
  part[blockIdx.x] = total;
}

extern "C" __global__ void add_parts(const double* __restrict__ part, float* __restrict__ dot) {
  __shared__ double warps[kBlocks / 32];
  double sum = sum_of_warp(part[threadIdx.x]);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = sum_of_warp(warps[threadIdx.x]);
  if (threadIdx.x == 0) *dot = (float)sum;
}
