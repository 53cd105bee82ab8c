// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gate grid [N, min(div_up(C, 1024), 65535)] block [256] (xz, dy, dxz, C)
*/
// A block has a row, or parts of it, four numbers at a time where halves are a multiple of that.
#include <stdint.h>

__device__ void differentiate(float x, float z, float dy, float& dx, float& dz) {
  const float share = 1 / (1 + expf(-x));
  dx = dy * z * (share * (1 + x * (1 - share)));
  dz = dy * (x * share);
}
__device__ void differentiate(float4 x, float4 z, float4 dy, float4& dx, float4& dz) {
  differentiate(x.x, z.x, dy.x, dx.x, dz.x);
  differentiate(x.y, z.y, dy.y, dx.y, dz.y);
  differentiate(x.z, z.z, dy.z, dx.z, dz.z);
  differentiate(x.w, z.w, dy.w, dx.w, dz.w);
}

template <class Unit>
__device__ void gate_row(const float* __restrict__ xz, const float* __restrict__ dy, float* __restrict__ dxz, int64_t units) {
  const Unit* in = reinterpret_cast<const Unit*>(xz);
  Unit* out = reinterpret_cast<Unit*>(dxz);
  for (int64_t u = blockIdx.y * 256ll + threadIdx.x; u < units; u += gridDim.y * 256ll)
    differentiate(in[u], in[units + u], reinterpret_cast<const Unit*>(dy)[u], out[u], out[units + u]);
}

extern "C" __global__ void gate(const float* __restrict__ xz, const float* __restrict__ dy, float* __restrict__ dxz, int64_t C) {
  xz += blockIdx.x * 2 * C;
  dy += blockIdx.x * C;
  dxz += blockIdx.x * 2 * C;
  if (C % 4 == 0) gate_row<float4>(xz, dy, dxz, C / 4);
  else gate_row<float>(xz, dy, dxz, C);
}
