// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[max(1, min(div_up(N * C, 2048), 1056))]
   kernel add_pieces grid [max(1, min(div_up(N * C, 2048), 1056))] block [256] (dy, gate, h, mask, dh, part, long(N * C))
   kernel scale_slopes grid [max(1, min(div_up(N * C, 2048), 1056))] block [256] (gate, part, dgate, long(N * C))
*/
// Threads take eight neighbouring numbers, a grid apart; the last few come one by one. The second kernel's blocks each add up what the
// first one's have, always in the same order. The gate is read twice: only it is to stay in the cache, and the end of it is read first.
#include "kernel.h"

constexpr int kThreads = 256, kWarps = kThreads / 32, kEach = 8;

// Of all threads of the block, for all of them.
__device__ double sum_of_block(double value) {
  __shared__ double warps[kWarps];
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) value += warps[warp];
  return value;
}

// A bfloat16 is the upper half of a float.
__device__ float low(unsigned word) { return __uint_as_float(word << 16); }
__device__ float high(unsigned word) { return __uint_as_float(word & 0xffff0000); }

__device__ unsigned both(float low, float high) {
  const __nv_bfloat162 y = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&y);
}

struct Passed {
  float dh, share;

  __device__ Passed(float dy, float gate, float h, float mask) {
    const float passed = dy * mask;
    dh = passed * tanhf(gate);
    share = passed * h;
  }
};

__device__ unsigned take(unsigned dy, unsigned gate, unsigned h, unsigned mask, float& sum) {
  const Passed left(low(dy), low(gate), low(h), low(mask)), right(high(dy), high(gate), high(h), high(mask));
  sum += left.share + right.share;
  return both(left.dh, right.dh);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    add_pieces(const bfloat16* __restrict__ dy, const bfloat16* __restrict__ gate, const bfloat16* __restrict__ h,
               const bfloat16* __restrict__ mask, bfloat16* __restrict__ dh, double* __restrict__ part, int64_t count) {
  const int64_t first = blockIdx.x * (int64_t)kThreads + threadIdx.x, units = count / kEach, rest = units * kEach + first;
  float sum = 0;
#pragma unroll 2
  for (int64_t u = first; u < units; u += gridDim.x * (int64_t)kThreads) {
    const uint4 d = __ldcs(reinterpret_cast<const uint4*>(dy) + u), a = __ldcs(reinterpret_cast<const uint4*>(h) + u);
    const uint4 m = __ldcs(reinterpret_cast<const uint4*>(mask) + u), g = reinterpret_cast<const uint4*>(gate)[u];
    const uint4 out = make_uint4(take(d.x, g.x, a.x, m.x, sum), take(d.y, g.y, a.y, m.y, sum), take(d.z, g.z, a.z, m.z, sum),
                                 take(d.w, g.w, a.w, m.w, sum));
    __stcs(reinterpret_cast<uint4*>(dh) + u, out);
  }
  if (rest < count) {
    const Passed one(__bfloat162float(dy[rest]), __bfloat162float(gate[rest]), __bfloat162float(h[rest]), __bfloat162float(mask[rest]));
    sum += one.share;
    dh[rest] = __float2bfloat16_rn(one.dh);
  }
  const double all = sum_of_block(sum);
  if (threadIdx.x == 0) part[blockIdx.x] = all;
}

__device__ float slope(float gate, float total) {
  const float t = tanhf(gate);
  return (1 - t * t) * total;
}

__device__ unsigned slopes(unsigned gate, float total) { return both(slope(low(gate), total), slope(high(gate), total)); }

extern "C" __global__ void __launch_bounds__(kThreads)
    scale_slopes(const bfloat16* __restrict__ gate, const double* __restrict__ part, bfloat16* __restrict__ dgate, int64_t count) {
  double sum = 0;
  for (int p = threadIdx.x; p < gridDim.x; p += kThreads) sum += part[p];
  const float total = (float)sum_of_block(sum);
  const int64_t first = blockIdx.x * (int64_t)kThreads + threadIdx.x, units = count / kEach, rest = units * kEach + first;
#pragma unroll 2
  for (int64_t u = units - 1 - first; u >= 0; u -= gridDim.x * (int64_t)kThreads) {
    const uint4 g = reinterpret_cast<const uint4*>(gate)[u];
    const uint4 out = make_uint4(slopes(g.x, total), slopes(g.y, total), slopes(g.z, total), slopes(g.w, total));
    __stcs(reinterpret_cast<uint4*>(dgate) + u, out);
  }
  if (rest < count) dgate[rest] = __float2bfloat16_rn(slope(__bfloat162float(gate[rest]), total));
}
