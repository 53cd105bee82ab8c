// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel replace grid [div_up(div_up(N * C, 4), 256)] block [256] (x, limit, value, y, long(N * C))
*/
#include "blocks/elements.cuh"

extern "C" __global__ void replace(const float* __restrict__ x, const float* __restrict__ limit, const float* __restrict__ value,
                                   float* __restrict__ y, long long count) {
  const float least = *limit, otherwise = *value;
  each_element(count, y, [=](float x) { return x > least ? x : otherwise; }, x);
}
