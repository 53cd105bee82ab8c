// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(B * (H + 2 * G), 8)] block [256]
               (q, k, v, cosines, sines, key_cache, value_cache, lengths, page_table, B, H, G, E, S, M)
*/
// A warp has a head, four numbers at a time where halves are a multiple of that: those of queries come first, then those of keys, then
// those of values.
#include <stdint.h>

__device__ float times(float a, float b) { return a * b; }
__device__ float4 times(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__device__ float add(float a, float b) { return a + b; }
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float subtract(float a, float b) { return a - b; }
__device__ float4 subtract(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }

// From a head to another place, or to its own.
template <class Unit>
__device__ void rotate_head(const float* x, const float* __restrict__ cosines, const float* __restrict__ sines, float* y,
                            int64_t units) {
  const Unit* in = reinterpret_cast<const Unit*>(x);
  Unit* out = reinterpret_cast<Unit*>(y);
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) {
    const Unit first = in[u], second = in[units + u];
    const Unit cosine = reinterpret_cast<const Unit*>(cosines)[u], sine = reinterpret_cast<const Unit*>(sines)[u];
    out[u] = subtract(times(first, cosine), times(second, sine));
    out[units + u] = add(times(second, cosine), times(first, sine));
  }
}

template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, int64_t units) {
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
}

extern "C" __global__ void step(float* q, const float* __restrict__ k, const float* __restrict__ v, const float* __restrict__ cosines,
                                const float* __restrict__ sines, float* __restrict__ key_cache, float* __restrict__ value_cache,
                                const int64_t* __restrict__ lengths, const int64_t* __restrict__ page_table, int64_t B, int64_t H,
                                int64_t G, int64_t E, int64_t S, int64_t M) {
  const int64_t head = blockIdx.x * 8ll + threadIdx.x / 32;
  if (head >= B * (H + 2 * G)) return;
  if (head < B * H) {
    const int64_t angle = head / H * E;
    float* x = q + head * 2 * E;
    if (E % 4 == 0) rotate_head<float4>(x, cosines + angle, sines + angle, x, E / 4);
    else rotate_head<float>(x, cosines + angle, sines + angle, x, E);
    return;
  }
  const bool is_key = head < B * (H + G);
  const int64_t row = head - B * (is_key ? H : H + G), b = row / G, token = lengths[b] - 1, page = page_table[b * M + token / S];
  const int64_t to = ((page * G + row % G) * S + token % S) * 2 * E;
  if (is_key) {
    if (E % 4 == 0) rotate_head<float4>(k + row * 2 * E, cosines + b * E, sines + b * E, key_cache + to, E / 4);
    else rotate_head<float>(k + row * 2 * E, cosines + b * E, sines + b * E, key_cache + to, E);
  } else {
    if (E % 4 == 0) copy<float4>(v + row * 2 * E, value_cache + to, E / 2);
    else copy<float>(v + row * 2 * E, value_cache + to, 2 * E);
  }
}
