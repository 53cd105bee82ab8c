// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel advance grid [B * H, min(div_up(K * V, 1024), 65535)] block [256] (state, decay, added, h, M, long(K * V))
*/
// A thread has four neighbouring elements of a state, or one where states are no multiple of four, from chunk to chunk.
#include <stdint.h>

__device__ float grown(float s, float fade, float n) { return fmaf(s, fade, n); }
__device__ float4 grown(float4 s, float fade, float4 n) {
  return make_float4(fmaf(s.x, fade, n.x), fmaf(s.y, fade, n.y), fmaf(s.z, fade, n.z), fmaf(s.w, fade, n.w));
}

template <class Unit>
__device__ void advance_units(const float* __restrict__ state, const float* __restrict__ decay, const float* __restrict__ added,
                              float* __restrict__ h, int64_t M, int64_t units) {
  const Unit* in = reinterpret_cast<const Unit*>(added);
  Unit* out = reinterpret_cast<Unit*>(h);
  for (int64_t u = blockIdx.y * 256ll + threadIdx.x; u < units; u += gridDim.y * 256ll) {
    Unit s = reinterpret_cast<const Unit*>(state)[u];
    out[u] = s;
#pragma unroll 4
    for (int64_t m = 1; m < M; ++m) {
      s = grown(s, decay[m - 1], in[(m - 1) * units + u]);
      out[m * units + u] = s;
    }
  }
}

extern "C" __global__ void advance(const float* __restrict__ state, const float* __restrict__ decay, const float* __restrict__ added,
                                   float* __restrict__ h, int64_t M, int64_t size) {
  state += blockIdx.x * size;
  decay += blockIdx.x * M;
  added += blockIdx.x * M * size;
  h += blockIdx.x * M * size;
  if (size % 4 == 0) advance_units<float4>(state, decay, added, h, M, size / 4);
  else advance_units<float>(state, decay, added, h, M, size);
}
