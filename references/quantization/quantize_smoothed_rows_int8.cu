// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel quantize grid [N] block [256] (x, smooth, q, scale, C)
*/
#include "blocks/int8_rows.cuh"
#include "kernel.h"

struct Smoothed {
  const float16 *__restrict__ x, *__restrict__ smooth;

  __device__ void get(int64_t u, float& v) const { v = __half2float(x[u]) * __half2float(smooth[u]); }
  __device__ static float4 wide(const float16* from, int64_t u) {
    const uint2 four = reinterpret_cast<const uint2*>(from)[u];
    const float2 front = __half22float2(reinterpret_cast<const __half2*>(&four)[0]);
    const float2 behind = __half22float2(reinterpret_cast<const __half2*>(&four)[1]);
    return make_float4(front.x, front.y, behind.x, behind.y);
  }
  __device__ void get(int64_t u, float4& v) const {
    const float4 a = wide(x, u), b = wide(smooth, u);
    v = make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
  }
};

extern "C" __global__ void __launch_bounds__(kRowThreads)
    quantize(const float16* __restrict__ x, const float16* __restrict__ smooth, int8_t* __restrict__ q, float* __restrict__ scale, int64_t C) {
  quantize_row(Smoothed{x + blockIdx.x * C, smooth}, q, scale, C, 1e-10f);
}
