// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gate grid [N, min(div_up(C, 1024), 65535)] block [256] (x, y, C)
*/
// A block has a row, or parts of it, four numbers at a time where halves are a multiple of that. Where exp overflows the quotient is 0.
#include <stdint.h>

__device__ float gated(float a, float b) { return a / (1 + expf(-a)) * b; }
__device__ float4 gated(float4 a, float4 b) { return make_float4(gated(a.x, b.x), gated(a.y, b.y), gated(a.z, b.z), gated(a.w, b.w)); }

template <class Unit>
__device__ void gate_row(const float* __restrict__ x, float* __restrict__ y, int64_t units) {
  const Unit* in = reinterpret_cast<const Unit*>(x);
  for (int64_t u = blockIdx.y * 256ll + threadIdx.x; u < units; u += gridDim.y * 256ll)
    reinterpret_cast<Unit*>(y)[u] = gated(in[u], in[units + u]);
}

extern "C" __global__ void gate(const float* __restrict__ x, float* __restrict__ y, int64_t C) {
  x += blockIdx.x * 2 * C;
  y += blockIdx.x * C;
  if (C % 4 == 0) gate_row<float4>(x, y, C / 4);
  else gate_row<float>(x, y, C);
}
