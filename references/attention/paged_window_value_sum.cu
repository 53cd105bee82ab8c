// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add_up grid [B * H, div_up(D, 128)] block [256]
                 (weights, values, tokens, requests, first, offsets, o, H, T, D, long(C + W))
*/
// A block has a head of a request, and up to 128 of its features: four for each lane. Warps take different tokens.
#include <stdint.h>

constexpr int kWarps = 8, kFeatures = 128;

extern "C" __global__ void add_up(const float* __restrict__ weights, const float* __restrict__ values, const int64_t* __restrict__ tokens,
                                  const int64_t* __restrict__ requests, const int64_t* __restrict__ first_tokens,
                                  const int64_t* __restrict__ offsets, float* __restrict__ o, int64_t H, int64_t T, int64_t D,
                                  int64_t longest) {
  __shared__ float sums[kWarps][kFeatures];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t b = blockIdx.x / H, h = blockIdx.x % H, first = blockIdx.y * (int64_t)kFeatures + lane * 4;
  const int64_t* named = tokens + requests[b] * longest + first_tokens[b];
  const int64_t start = offsets[b], length = offsets[b + 1] - start;
  const float* of_head = weights + h * T + start;
  float sum[4] = {};
#pragma unroll 4
  for (int64_t i = warp; i < length; i += kWarps) {
    const float weight = of_head[i];
    const float* row = values + (named[i] * H + h) * D;
    if (D % 4 == 0 && first < D) {
      const float4 v = *reinterpret_cast<const float4*>(row + first);
      sum[0] = fmaf(weight, v.x, sum[0]);
      sum[1] = fmaf(weight, v.y, sum[1]);
      sum[2] = fmaf(weight, v.z, sum[2]);
      sum[3] = fmaf(weight, v.w, sum[3]);
    } else {
      for (int j = 0; j < 4; ++j)
        if (first + j < D) sum[j] = fmaf(weight, row[first + j], sum[j]);
    }
  }
  for (int j = 0; j < 4; ++j) sums[warp][lane * 4 + j] = sum[j];
  __syncthreads();
  const int64_t feature = blockIdx.y * (int64_t)kFeatures + threadIdx.x;
  if (threadIdx.x >= kFeatures || feature >= D) return;
  float all = 0;
  for (int w = 0; w < kWarps; ++w) all += sums[w][threadIdx.x];
  o[blockIdx.x * D + feature] = all;
}
