// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel expand grid [T, min(div_up(N, 64), 65535)] block [256] (x, b, adapters, y, R, N)
*/
// A block has a token and 64 columns at a time; eight lanes share the sum of a column. Terms are read eight at a time where rows are
// a multiple of that.
#include "kernel.h"

extern "C" __global__ void expand(const float16* __restrict__ x, const float16* __restrict__ b, const int64_t* __restrict__ adapters,
                                  float16* __restrict__ y, int64_t R, int64_t N) {
  const int64_t t = blockIdx.x, adapter = adapters[t];
  if (adapter < 0) return;
  const int lane = threadIdx.x % 8;
  x += t * R;
  y += t * N;
  for (int64_t n0 = blockIdx.y * 64ll; n0 < N; n0 += gridDim.y * 64ll) {
    float sum[2] = {};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int64_t n = n0 + threadIdx.x / 8 + i * 32;
      if (n >= N) continue;
      const float16* w = b + (adapter * N + n) * R;
      if (R % 8 == 0) {
        for (int64_t r = lane * 8; r < R; r += 64) {
          const uint4 eight = *reinterpret_cast<const uint4*>(w + r), others = *reinterpret_cast<const uint4*>(x + r);
          const __half2* pairs = reinterpret_cast<const __half2*>(&eight);
          const __half2* other_pairs = reinterpret_cast<const __half2*>(&others);
          for (int j = 0; j < 4; ++j) {
            const float2 p = __half22float2(pairs[j]), q = __half22float2(other_pairs[j]);
            sum[i] = fmaf(p.x, q.x, fmaf(p.y, q.y, sum[i]));
          }
        }
      } else {
        for (int64_t r = lane; r < R; r += 8) sum[i] = fmaf(__half2float(w[r]), __half2float(x[r]), sum[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      for (int lanes = 4; lanes > 0; lanes /= 2) sum[i] += __shfl_xor_sync(0xffffffff, sum[i], lanes);
      const int64_t n = n0 + threadIdx.x / 8 + i * 32;
      if (lane == 0 && n < N) y[n] = __float2half_rn(__half2float(y[n]) + sum[i]);
    }
  }
}
