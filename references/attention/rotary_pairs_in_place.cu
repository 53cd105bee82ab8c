// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel rotate grid [div_up(T * (H + G) * E, 256)] block [256] (q, k, cosines, sines, T, H, G, E)
*/
// A thread has a pair, which lies together in one load. Pairs of queries come first, then those of keys.
#include <stdint.h>

extern "C" __global__ void rotate(float2* __restrict__ q, float2* __restrict__ k, const float2* __restrict__ cosines,
                                  const float2* __restrict__ sines, int64_t T, int64_t H, int64_t G, int64_t E) {
  const int64_t pair = blockIdx.x * 256ll + threadIdx.x, key = pair - T * H * E;
  if (key >= T * G * E) return;
  float2* at = key < 0 ? q + pair : k + key;
  const int64_t angle = (key < 0 ? pair / (H * E) : key / (G * E)) * E + (key < 0 ? pair : key) % E;
  const float2 x = *at, cosine = cosines[angle], sine = sines[angle];
  *at = make_float2(x.x * cosine.x - x.y * sine.x, x.y * cosine.y + x.x * sine.y);
}
