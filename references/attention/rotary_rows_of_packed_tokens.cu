// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy_rows grid [div_up(T, 8)] block [256] (cosines, sines, offsets, token_cosines, token_sines, E, B, T)
*/
// A warp has a token. It looks for the token's prompt by bisection, then copies both rows, four numbers at a time where rows are a multiple
// of that.
#include <stdint.h>

template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, int64_t units) {
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
}

extern "C" __global__ void copy_rows(const float* __restrict__ cosines, const float* __restrict__ sines,
                                     const int64_t* __restrict__ offsets, float* __restrict__ token_cosines,
                                     float* __restrict__ token_sines, int64_t E, int64_t B, int64_t T) {
  const int64_t token = blockIdx.x * 8ll + threadIdx.x / 32;
  if (token >= T) return;
  // The last prompt that begins at the token or before it: others may have no token.
  int64_t prompt = 0, behind = B;
  while (behind - prompt > 1) {
    const int64_t middle = (prompt + behind) / 2;
    if (offsets[middle] <= token) prompt = middle;
    else behind = middle;
  }
  const int64_t from = (token - offsets[prompt]) * E, to = token * E;
  if (E % 4 == 0) {
    copy<float4>(cosines + from, token_cosines + to, E / 4);
    copy<float4>(sines + from, token_sines + to, E / 4);
  } else {
    copy<float>(cosines + from, token_cosines + to, E);
    copy<float>(sines + from, token_sines + to, E);
  }
}
