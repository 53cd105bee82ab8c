// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(N * C, 1024)] block [256] (grad, p, mask, y, long(N * C))
*/
// A thread has four neighbouring elements; those of the last one may be fewer.
#include <stdint.h>

__device__ float stepped(float grad, float p, unsigned char masked) { return masked ? grad : grad + 0.5f * p; }

extern "C" __global__ void step(const float* __restrict__ grad, const float* __restrict__ p, const unsigned char* __restrict__ mask,
                                float* __restrict__ y, int64_t count) {
  const int64_t i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 u = *reinterpret_cast<const float4*>(grad + i), v = *reinterpret_cast<const float4*>(p + i);
    const uchar4 m = *reinterpret_cast<const uchar4*>(mask + i);
    *reinterpret_cast<float4*>(y + i) =
        make_float4(stepped(u.x, v.x, m.x), stepped(u.y, v.y, m.y), stepped(u.z, v.z, m.z), stepped(u.w, v.w, m.w));
    return;
  }
  for (int64_t e = i; e < count; ++e) y[e] = stepped(grad[e], p[e], mask[e]);
}
