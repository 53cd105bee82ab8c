// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add_up grid [B * H, div_up(D, 128)] block [256] (scores, values, tokens, offsets, o, H, T, D, M)
*/
// A block has a head of a request, and up to 128 of its features: four for each lane. Warps take different tokens. The largest score of all
// is found first.
#include <stdint.h>

constexpr int kWarps = 8, kFeatures = 128;

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

extern "C" __global__ void add_up(const float* __restrict__ scores, const float* __restrict__ values, const int64_t* __restrict__ tokens,
                                  const int64_t* __restrict__ offsets, float* __restrict__ o, int64_t H, int64_t T, int64_t D, int64_t M) {
  __shared__ float sums[kWarps][kFeatures], tops[kWarps], totals[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t b = blockIdx.x / H, h = blockIdx.x % H, first = blockIdx.y * (int64_t)kFeatures + lane * 4;
  const int64_t* named = tokens + b * M;
  const int64_t start = offsets[b], length = offsets[b + 1] - start;
  const float* of_head = scores + h * T + start;
  float top = __int_as_float(0xff800000), total = 0;
  for (int64_t i = threadIdx.x; i < length; i += kWarps * 32) top = larger(of_head[i], top);
  for (int width = 16; width > 0; width /= 2) top = larger(__shfl_xor_sync(0xffffffff, top, width), top);
  if (lane == 0) tops[warp] = top;
  __syncthreads();
  for (int w = 0; w < kWarps; ++w) top = larger(tops[w], top);
  float sum[4] = {};
#pragma unroll 4
  for (int64_t i = warp; i < length; i += kWarps) {
    const float weight = expf(of_head[i] - top);
    total += weight;
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
  if (lane == 0) totals[warp] = total;
  for (int j = 0; j < 4; ++j) sums[warp][lane * 4 + j] = sum[j];
  __syncthreads();
  const int64_t feature = blockIdx.y * (int64_t)kFeatures + threadIdx.x;
  if (threadIdx.x >= kFeatures || feature >= D) return;
  float all = 0, whole = 0;
  for (int w = 0; w < kWarps; ++w) {
    all += sums[w][threadIdx.x];
    whole += totals[w];
  }
  o[blockIdx.x * D + feature] = all / whole;
}
