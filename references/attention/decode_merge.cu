// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel merge grid [B * H, div_up(D, 128)] block [256] (partial, log_sums, lengths, o, H, S, D)
*/
// A block has a head of a sequence, and up to 128 of its features: four for each lane. Warps take different partial outputs, each with the
// largest log-sum-exp that it has met and its sums relative to that; in the end the first warp joins them.
#include <stdint.h>

constexpr int kWarps = 8, kFeatures = 128;

__device__ float lowest() { return __int_as_float(0xff800000); }
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }
// Of what was relative to `from`, relative to `to`, which is no smaller. Two infinities are the same.
__device__ float share(float from, float to) { return from == to ? 1 : expf(from - to); }

extern "C" __global__ void merge(const float* __restrict__ partial, const float* __restrict__ log_sums, const int64_t* __restrict__ lengths,
                                 float* __restrict__ o, int64_t H, int64_t S, int64_t D) {
  __shared__ float tops[kWarps], totals[kWarps], sums[kWarps][kFeatures];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t first = blockIdx.y * (int64_t)kFeatures + lane * 4;
  const int64_t blocks = min(S, (lengths[blockIdx.x / H] + 15) / 16);
  partial += blockIdx.x * S * D;
  log_sums += blockIdx.x * S;
  float top = lowest(), total = 0, sum[4] = {};
#pragma unroll 4
  for (int64_t s = warp; s < blocks; s += kWarps) {
    float v[4] = {};
    if (D % 4 == 0 && first < D) {
      const float4 all = *reinterpret_cast<const float4*>(partial + s * D + first);
      v[0] = all.x;
      v[1] = all.y;
      v[2] = all.z;
      v[3] = all.w;
    } else {
      for (int i = 0; i < 4; ++i)
        if (first + i < D) v[i] = partial[s * D + first + i];
    }
    const float value = log_sums[s], highest = larger(value, top), kept = share(top, highest), weight = expf(value - highest);
    top = highest;
    total = total * kept + weight;
    for (int i = 0; i < 4; ++i) sum[i] = sum[i] * kept + weight * v[i];
  }
  for (int i = 0; i < 4; ++i) sums[warp][lane * 4 + i] = sum[i];
  if (lane == 0) {
    tops[warp] = top;
    totals[warp] = total;
  }
  __syncthreads();
  if (threadIdx.x >= kFeatures || blockIdx.y * (int64_t)kFeatures + threadIdx.x >= D) return;
  const int warps = (int)min(blocks, (int64_t)kWarps);  // the others have met nothing
  float highest = lowest(), all = 0, joined = 0;
  for (int w = 0; w < warps; ++w) highest = larger(tops[w], highest);
  for (int w = 0; w < warps; ++w) {
    const float kept = share(tops[w], highest);
    all += totals[w] * kept;
    joined += sums[w][threadIdx.x] * kept;
  }
  o[blockIdx.x * D + blockIdx.y * (int64_t)kFeatures + threadIdx.x] = joined / all;
}
