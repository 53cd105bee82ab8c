// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel scan grid [N] block [256] (x, mask, y, C)
*/
// A block has a row, and goes along it in steps of 1,024 numbers, four for each thread. The next step's numbers are on their way while this
// one's are added up.
#include <stdint.h>

constexpr int kThreads = 256, kWarps = kThreads / 32, kEach = 4, kStep = kThreads * kEach;
constexpr unsigned kAll = 0xffffffff;

// A product, because NaN and infinities that are masked are NaN.
__device__ float kept(float x, bool mask) { return x * (mask ? 1.0f : 0.0f); }

__device__ float4 fetch(const float* __restrict__ x, const bool* __restrict__ mask, long long c, long long C, bool aligned) {
  if (aligned && c + kEach <= C) {
    const float4 v = *reinterpret_cast<const float4*>(x + c);
    const uchar4 m = *reinterpret_cast<const uchar4*>(mask + c);
    return make_float4(kept(v.x, m.x), kept(v.y, m.y), kept(v.z, m.z), kept(v.w, m.w));
  }
  float v[kEach] = {};
  for (int i = 0; i < kEach; ++i)
    if (c + i < C) v[i] = kept(x[c + i], mask[c + i]);
  return make_float4(v[0], v[1], v[2], v[3]);
}

__device__ void put(float* __restrict__ y, long long c, long long C, bool aligned, float4 v) {
  if (aligned && c + kEach <= C) {
    *reinterpret_cast<float4*>(y + c) = v;
    return;
  }
  const float each[kEach] = {v.x, v.y, v.z, v.w};
  for (int i = 0; i < kEach; ++i)
    if (c + i < C) y[c + i] = each[i];
}

extern "C" __global__ void scan(const float* __restrict__ x, const bool* __restrict__ mask, float* __restrict__ y, long long C) {
  __shared__ float sums[2][kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool aligned = C % kEach == 0;
  x += blockIdx.x * C;
  mask += blockIdx.x * C;
  y += blockIdx.x * C;
  float before = 0;  // of all steps before
  float4 next = fetch(x, mask, threadIdx.x * kEach, C, aligned);
  int side = 0;
  for (long long begin = 0; begin < C; begin += kStep, side ^= 1) {
    const long long c = begin + threadIdx.x * kEach;
    float4 v = next;
    if (begin + kStep < C) next = fetch(x, mask, c + kStep, C, aligned);
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    float upto = v.w;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float left = __shfl_up_sync(kAll, upto, distance);
      if (lane >= distance) upto += left;
    }
    if (lane == 31) sums[side][warp] = upto;
    float lead = __shfl_up_sync(kAll, upto, 1);
    if (lane == 0) lead = 0;
    __syncthreads();
    float in_front = before;
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) in_front = before;
      before += sums[side][w];
    }
    lead += in_front;
    put(y, c, C, aligned, make_float4(v.x + lead, v.y + lead, v.z + lead, v.w + lead));
  }
}
