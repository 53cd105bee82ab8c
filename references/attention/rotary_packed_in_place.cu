// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel rotate grid [div_up(T * (H + G), 8)] block [256] (q, k, cosines, sines, T, H, G, E)
*/
// A warp has a head: numbers of its first half meet their partners in the second, four at a time where halves are a multiple of that.
// Heads of queries come first, then those of keys.
#include <stdint.h>

__device__ float times(float a, float b) { return a * b; }
__device__ float4 times(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__device__ float add(float a, float b) { return a + b; }
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float subtract(float a, float b) { return a - b; }
__device__ float4 subtract(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }

template <class Unit>
__device__ void rotate_head(float* __restrict__ x, const float* __restrict__ cosines, const float* __restrict__ sines, int64_t units) {
  Unit* both = reinterpret_cast<Unit*>(x);
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) {
    const Unit first = both[u], second = both[units + u];
    const Unit cosine = reinterpret_cast<const Unit*>(cosines)[u], sine = reinterpret_cast<const Unit*>(sines)[u];
    both[u] = subtract(times(first, cosine), times(second, sine));
    both[units + u] = add(times(second, cosine), times(first, sine));
  }
}

extern "C" __global__ void rotate(float* __restrict__ q, float* __restrict__ k, const float* __restrict__ cosines,
                                  const float* __restrict__ sines, int64_t T, int64_t H, int64_t G, int64_t E) {
  const int64_t head = blockIdx.x * 8ll + threadIdx.x / 32, key = head - T * H;
  if (key >= T * G) return;
  float* x = key < 0 ? q + head * 2 * E : k + key * 2 * E;
  const int64_t angle = (key < 0 ? head / H : key / G) * E;
  if (E % 4 == 0) rotate_head<float4>(x, cosines + angle, sines + angle, E / 4);
  else rotate_head<float>(x, cosines + angle, sines + angle, E);
}
