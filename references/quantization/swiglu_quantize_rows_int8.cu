// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel quantize grid [N] block [256] (x, smooth, offsets, q, scale, C, G)
*/
#include "blocks/int8_rows.cuh"

struct Gated {
  const float *__restrict__ gates, *__restrict__ values, *__restrict__ smooth;

  // Where exp overflows the quotient is 0.
  __device__ static float of(float gate, float value, float factor) { return gate / (1 + expf(-gate)) * value * factor; }
  __device__ void get(int64_t u, float& v) const { v = of(gates[u], values[u], smooth[u]); }
  __device__ void get(int64_t u, float4& v) const {
    const float4 a = reinterpret_cast<const float4*>(gates)[u], b = reinterpret_cast<const float4*>(values)[u];
    const float4 s = reinterpret_cast<const float4*>(smooth)[u];
    v = make_float4(of(a.x, b.x, s.x), of(a.y, b.y, s.y), of(a.z, b.z, s.z), of(a.w, b.w, s.w));
  }
};

// The expert of a row is the last one that begins at the row or before it: others may have no rows.
__device__ int64_t expert_of(int64_t row, const int64_t* __restrict__ offsets, int64_t G) {
  int64_t expert = 0, behind = G;
  while (behind - expert > 1) {
    const int64_t middle = (expert + behind) / 2;
    if (offsets[middle] <= row) expert = middle;
    else behind = middle;
  }
  return expert;
}

extern "C" __global__ void __launch_bounds__(kRowThreads)
    quantize(const float* __restrict__ x, const float* __restrict__ smooth, const int64_t* __restrict__ offsets, int8_t* __restrict__ q,
             float* __restrict__ scale, int64_t C, int64_t G) {
  x += blockIdx.x * 2 * C;
  quantize_row(Gated{x, x + C, smooth + expert_of(blockIdx.x, offsets, G) * C}, q, scale, C, 9.5367431640625e-07f);
}
