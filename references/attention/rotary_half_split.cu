// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel rotate grid [div_up(B * S * H, 8)] block [256] (x, cosines, sines, y, long(B * S * H), S, H, E)
*/
// A warp has a head: numbers of its first half meet their partners in the second, four at a time where halves are a multiple of that.
#include <stdint.h>

__device__ float times(float a, float b) { return a * b; }
__device__ float4 times(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__device__ float add(float a, float b) { return a + b; }
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float subtract(float a, float b) { return a - b; }
__device__ float4 subtract(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }

template <class Unit>
__device__ void rotate_head(const float* __restrict__ x, const float* __restrict__ cosines, const float* __restrict__ sines,
                            float* __restrict__ y, int64_t units) {
  const Unit* in = reinterpret_cast<const Unit*>(x);
  Unit* out = reinterpret_cast<Unit*>(y);
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) {
    const Unit first = in[u], second = in[units + u];
    const Unit cosine = reinterpret_cast<const Unit*>(cosines)[u], sine = reinterpret_cast<const Unit*>(sines)[u];
    out[u] = subtract(times(first, cosine), times(second, sine));
    out[units + u] = add(times(second, cosine), times(first, sine));
  }
}

extern "C" __global__ void rotate(const float* __restrict__ x, const float* __restrict__ cosines, const float* __restrict__ sines,
                                  float* __restrict__ y, int64_t heads, int64_t S, int64_t H, int64_t E) {
  const int64_t head = blockIdx.x * 8ll + threadIdx.x / 32;
  if (head >= heads) return;
  const int64_t angle = head / H % S * E;
  x += head * 2 * E;
  y += head * 2 * E;
  if (E % 4 == 0) rotate_head<float4>(x, cosines + angle, sines + angle, y, E / 4);
  else rotate_head<float>(x, cosines + angle, sines + angle, y, E);
}
