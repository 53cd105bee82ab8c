// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel diverge grid [N] block [256] (log_p, target, y, gradient, N, C)
*/
// A block has a row, and reads it once for the sum and the gradient.
constexpr int kThreads = 256, kWarps = kThreads / 32;

__device__ float term(float log_p, float t) { return t * (logf(t) - log_p); }

extern "C" __global__ void diverge(const float* __restrict__ log_p, const float* __restrict__ target, float* __restrict__ y,
                                   float* __restrict__ gradient, long long N, long long C) {
  __shared__ double warps[kWarps];
  log_p += blockIdx.x * C;
  target += blockIdx.x * C;
  gradient += blockIdx.x * C;
  const float rows = (float)N;
  float4 sums = make_float4(0, 0, 0, 0);
  if (C % 4 == 0) {
#pragma unroll 2
    for (long long u = threadIdx.x; u < C / 4; u += kThreads) {
      const float4 v = reinterpret_cast<const float4*>(log_p)[u], t = reinterpret_cast<const float4*>(target)[u];
      reinterpret_cast<float4*>(gradient)[u] = make_float4(-(t.x / rows), -(t.y / rows), -(t.z / rows), -(t.w / rows));
      sums.x += term(v.x, t.x);
      sums.y += term(v.y, t.y);
      sums.z += term(v.z, t.z);
      sums.w += term(v.w, t.w);
    }
  } else {
    for (long long c = threadIdx.x; c < C; c += kThreads) {
      gradient[c] = -(target[c] / rows);
      sums.x += term(log_p[c], target[c]);
    }
  }
  // Terms have both signs and nearly cancel.
  double sum = ((double)sums.x + sums.y) + ((double)sums.z + sums.w);
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(0xffffffff, sum, width);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) sum += warps[warp];
  y[blockIdx.x] = (float)sum;
}
