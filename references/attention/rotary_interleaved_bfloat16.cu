// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel rotate grid [div_up(T * H * div_up(E, 4), 256)] block [256] (x, cosines, sines, y, long(T * H * div_up(E, 4)), H, int(E))
*/
// A thread has four neighbouring pairs, which are one load where heads are a multiple of that.
#include "blocks/fours.cuh"
#include "blocks/quotient.cuh"
#include "blocks/short_fours.cuh"

struct Pairs {
  float4 first, second;
};

__device__ Pairs load_pairs(const bfloat16* from, int count, bool aligned) {
  alignas(16) __nv_bfloat162 pairs[4];
  if (aligned) {
    *reinterpret_cast<uint4*>(pairs) = *reinterpret_cast<const uint4*>(from);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) pairs[i] = reinterpret_cast<const __nv_bfloat162*>(from)[i < count ? i : 0];
  }
  const float2 a = __bfloat1622float2(pairs[0]), b = __bfloat1622float2(pairs[1]), c = __bfloat1622float2(pairs[2]),
               d = __bfloat1622float2(pairs[3]);
  return {make_float4(a.x, b.x, c.x, d.x), make_float4(a.y, b.y, c.y, d.y)};
}

extern "C" __global__ void __launch_bounds__(256)
    rotate(const bfloat16* __restrict__ x, const bfloat16* __restrict__ cosines, const bfloat16* __restrict__ sines, bfloat16* __restrict__ y,
           int64_t threads, int64_t H, int E) {
  const int64_t thread = blockIdx.x * 256ll + threadIdx.x;
  if (thread >= threads) return;
  const int units = (E + 3) / 4;
  const int64_t head = quotient(thread, units), token = quotient(head, H);
  const int e = (int)(thread - head * units) * 4, count = E - e;
  const bool aligned = E % 4 == 0;
  const int64_t angle = token * 2 * E + e, to = head * 2 * E + e;
  const Pairs z = load_pairs(x + to + e, count, aligned);
  const float4 first_cosine = load_four(cosines + angle, count, aligned), second_cosine = load_four(cosines + angle + E, count, aligned);
  const float4 first_sine = load_four(sines + angle, count, aligned), second_sine = load_four(sines + angle + E, count, aligned);
  store_four(y + to, z.first * first_cosine - z.second * first_sine, count, aligned);
  store_four(y + to + E, z.second * second_cosine + z.first * second_sine, count, aligned);
}
