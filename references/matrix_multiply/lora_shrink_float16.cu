// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel shrink grid [T, min(div_up(R, 8), 65535)] block [256] (x, a, adapters, scale, y, K, R)
*/
// A warp has an element of a token's row. Terms are read eight at a time where rows are a multiple of that.
#include "kernel.h"

extern "C" __global__ void shrink(const float16* __restrict__ x, const float16* __restrict__ a, const int64_t* __restrict__ adapters,
                                  const float* __restrict__ scale, float16* __restrict__ y, int64_t K, int64_t R) {
  const int64_t t = blockIdx.x, adapter = adapters[t];
  if (adapter < 0) return;
  const int lane = threadIdx.x % 32;
  x += t * K;
  for (int64_t r = blockIdx.y * 8ll + threadIdx.x / 32; r < R; r += gridDim.y * 8ll) {
    const float16* w = a + (adapter * R + r) * K;
    float sum = 0;
    if (K % 8 == 0) {
#pragma unroll 4
      for (int64_t k = lane * 8; k < K; k += 256) {
        const uint4 eight = *reinterpret_cast<const uint4*>(w + k), others = *reinterpret_cast<const uint4*>(x + k);
        const __half2* pairs = reinterpret_cast<const __half2*>(&eight);
        const __half2* other_pairs = reinterpret_cast<const __half2*>(&others);
        for (int j = 0; j < 4; ++j) {
          const float2 p = __half22float2(pairs[j]), q = __half22float2(other_pairs[j]);
          sum = fmaf(p.x, q.x, fmaf(p.y, q.y, sum));
        }
      }
    } else {
      for (int64_t k = lane; k < K; k += 32) sum = fmaf(__half2float(w[k]), __half2float(x[k]), sum);
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffff, sum, lanes);
    if (lane == 0) y[t * R + r] = __float2half_rn(__half2float(y[t * R + r]) + sum * *scale);
  }
}
