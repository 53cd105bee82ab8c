// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch values: float[N * max(1, min(C / 2048, 1024 / N))]
   scratch places: long[N * max(1, min(C / 2048, 1024 / N))]
   kernel search grid [N, max(1, min(C / 2048, 1024 / N))] block [256] (x, values, places, C)
   kernel choose grid [div_up(N, 8)] block [256] (values, places, y, position, N, long(max(1, min(C / 2048, 1024 / N))))
*/
// A block has a row or a piece of one; then a warp has what the pieces of a row gave. The best of two is the larger one, and the first one of
// equals; NaN is larger than any number.
#include <stdint.h>

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

struct Best {
  float value;
  long long place;
};

__device__ Best best_of(Best a, Best b) {
  const bool a_is_none = a.value != a.value, b_is_none = b.value != b.value;
  bool first = a.value > b.value || (!(a.value < b.value) && a.place < b.place);
  if (a_is_none != b_is_none) first = a_is_none;
  return first ? a : b;
}

__device__ Best best_of_warp(Best best) {
  for (int width = 16; width > 0; width /= 2)
    best = best_of(best, {__shfl_xor_sync(kAll, best.value, width), __shfl_xor_sync(kAll, best.place, width)});
  return best;
}

__device__ Best none(long long C) { return {__int_as_float(0xff800000), C}; }

extern "C" __global__ void search(const float* __restrict__ x, float* __restrict__ values, long long* __restrict__ places, long long C) {
  __shared__ Best warps[kWarps];
  const long long share = (C + gridDim.y - 1) / gridDim.y / 4 * 4 + 4, begin = min(blockIdx.y * share, C), end = min(begin + share, C);
  x += blockIdx.x * C;
  Best best = none(C);
  if (C % 4 == 0) {
#pragma unroll 4
    for (long long u = begin / 4 + threadIdx.x; u < end / 4; u += kThreads) {
      const float4 v = reinterpret_cast<const float4*>(x)[u];
      best = best_of(best, best_of(best_of({v.x, u * 4}, {v.y, u * 4 + 1}), best_of({v.z, u * 4 + 2}, {v.w, u * 4 + 3})));
    }
  } else {
#pragma unroll 4
    for (long long c = begin + threadIdx.x; c < end; c += kThreads) best = best_of(best, {x[c], c});
  }
  best = best_of_warp(best);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) best = best_of(best, warps[warp]);
  values[blockIdx.x * gridDim.y + blockIdx.y] = best.value;
  places[blockIdx.x * gridDim.y + blockIdx.y] = best.place;
}

extern "C" __global__ void choose(const float* __restrict__ values, const long long* __restrict__ places, float* __restrict__ y,
                                  int64_t* __restrict__ position, long long N, long long pieces) {
  const long long row = blockIdx.x * (long long)kWarps + threadIdx.x / 32;
  if (row >= N) return;
  Best best = {values[row * pieces], places[row * pieces]};
  for (long long p = threadIdx.x % 32; p < pieces; p += 32) best = best_of(best, {values[row * pieces + p], places[row * pieces + p]});
  best = best_of_warp(best);
  if (threadIdx.x % 32 > 0) return;
  y[row] = best.value;
  position[row] = best.place;
}
