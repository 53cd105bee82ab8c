// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel expand grid [T, min(div_up(N, 64), 65535)] block [256] (x, b, adapters, y, R, N, P, long(P + N + Q))
*/
// A block has a token and 64 columns at a time; eight lanes share the sum of a column. Weights are read eight at a time where rows of them
// are a multiple of that.
#include "kernel.h"

extern "C" __global__ void expand(const float* __restrict__ x, const float16* __restrict__ b, const int64_t* __restrict__ adapters,
                                  float* __restrict__ y, int64_t R, int64_t N, int64_t P, int64_t width) {
  const int64_t t = blockIdx.x, adapter = adapters[t];
  if (adapter < 0) return;
  const int lane = threadIdx.x % 8;
  x += t * R;
  y += t * width + P;
  for (int64_t n0 = blockIdx.y * 64ll; n0 < N; n0 += gridDim.y * 64ll) {
    float sum[2] = {};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int64_t n = n0 + threadIdx.x / 8 + i * 32;
      if (n >= N) continue;
      const float16* w = b + (adapter * N + n) * R;
      if (R % 8 == 0) {
        for (int64_t r = lane * 8; r < R; r += 64) {
          const uint4 eight = *reinterpret_cast<const uint4*>(w + r);
          const __half2* pairs = reinterpret_cast<const __half2*>(&eight);
          const float4 first = *reinterpret_cast<const float4*>(x + r), second = *reinterpret_cast<const float4*>(x + r + 4);
          const float2 p = __half22float2(pairs[0]), q = __half22float2(pairs[1]), u = __half22float2(pairs[2]),
                       v = __half22float2(pairs[3]);
          sum[i] += p.x * first.x + p.y * first.y + q.x * first.z + q.y * first.w + u.x * second.x + u.y * second.y + v.x * second.z +
                    v.y * second.w;
        }
      } else {
        for (int64_t r = lane; r < R; r += 8) sum[i] = fmaf(__half2float(w[r]), x[r], sum[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      for (int lanes = 4; lanes > 0; lanes /= 2) sum[i] += __shfl_xor_sync(0xffffffff, sum[i], lanes);
      const int64_t n = n0 + threadIdx.x / 8 + i * 32;
      if (lane == 0 && n < N) y[n] += sum[i];
    }
  }
}
