// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel quantize grid [N] block [256] (x, column_scale, row_scale, smooth, q, scale, C)
*/
#include "blocks/int8_rows.cuh"

struct Gated {
  const int32_t *__restrict__ values, *__restrict__ gates;
  const float *__restrict__ of_values, *__restrict__ of_gates, *__restrict__ smooth;
  float of_row;

  // Where exp overflows the quotient is 0.
  __device__ float of(int32_t value, int32_t gate, float of_value, float of_gate, float factor) const {
    const float v = (float)value * of_value * of_row, g = (float)gate * of_gate * of_row;
    return v * (g / (1 + expf(-g))) * factor;
  }
  __device__ void get(int64_t u, float& h) const { h = of(values[u], gates[u], of_values[u], of_gates[u], smooth[u]); }
  __device__ void get(int64_t u, float4& h) const {
    const int4 a = reinterpret_cast<const int4*>(values)[u], b = reinterpret_cast<const int4*>(gates)[u];
    const float4 s = reinterpret_cast<const float4*>(of_values)[u], t = reinterpret_cast<const float4*>(of_gates)[u];
    const float4 f = reinterpret_cast<const float4*>(smooth)[u];
    h = make_float4(of(a.x, b.x, s.x, t.x, f.x), of(a.y, b.y, s.y, t.y, f.y), of(a.z, b.z, s.z, t.z, f.z), of(a.w, b.w, s.w, t.w, f.w));
  }
};

extern "C" __global__ void __launch_bounds__(kRowThreads)
    quantize(const int32_t* __restrict__ x, const float* __restrict__ column_scale, const float* __restrict__ row_scale,
             const float* __restrict__ smooth, int8_t* __restrict__ q, float* __restrict__ scale, int64_t C) {
  x += blockIdx.x * 2 * C;
  quantize_row(Gated{x, x + C, column_scale, column_scale + C, smooth, row_scale[blockIdx.x]}, q, scale, C, 9.5367431640625e-07f);
}
