// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel rotate grid [B * T, div_up(64 * H, 256)] block [256] (x, first, y, T, int(64 * H))
*/
// A thread has a pair, which lies together in one load. A block has up to four heads of a token, which share the angles: they are worked
// out once.
#include "kernel.h"

extern "C" __global__ void rotate(const float16* __restrict__ x, const int64_t* __restrict__ first, float16* __restrict__ y, int64_t T,
                                  int pairs) {
  __shared__ float cosines[64], sines[64];
  if (threadIdx.x < 64) {
    const float angle = (float)(*first + blockIdx.x % T) / powf(10000, threadIdx.x / 64.0f);
    sines[threadIdx.x] = sinf(angle);
    cosines[threadIdx.x] = cosf(angle);
  }
  __syncthreads();
  const int pair = blockIdx.y * 256 + threadIdx.x;
  if (pair >= pairs) return;
  const int64_t at = blockIdx.x * (int64_t)pairs + pair;
  const float2 v = __half22float2(reinterpret_cast<const __half2*>(x)[at]);
  const float cosine = cosines[pair % 64], sine = sines[pair % 64];
  reinterpret_cast<__half2*>(y)[at] = __floats2half2_rn(v.x * cosine - v.y * sine, v.y * cosine + v.x * sine);
}
