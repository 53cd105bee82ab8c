// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add grid [div_up(div_up(B * C * H * W, 4), 256)] block [256] (x, bias, y, long(B * C * H * W), C, long(H * W))
*/
// A thread has four neighbouring sums. As a rule they lie in one channel.
#include "blocks/quotient.cuh"

extern "C" __global__ void add(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ y, long long count,
                               long long C, long long plane) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i >= count) return;
  const long long channel = quotient(i, plane);
  long long at = i - channel * plane, c = channel - quotient(channel, C) * C;
  if (at + 4 <= plane) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    const float s = bias[c];
    *reinterpret_cast<float4*>(y + i) = make_float4(v.x + s, v.y + s, v.z + s, v.w + s);
    return;
  }
  for (long long k = i; k < min(i + 4, count); ++k) {
    y[k] = x[k] + bias[c];
    if (++at == plane) {
      at = 0;
      if (++c == C) c = 0;
    }
  }
}
