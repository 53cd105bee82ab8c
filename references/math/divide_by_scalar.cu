// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel divide grid [div_up(div_up(N * C, 4), 256)] block [256] (x, divisor, y, long(N * C))
*/
#include "blocks/elements.cuh"

extern "C" __global__ void divide(const float* __restrict__ x, const float* __restrict__ divisor, float* __restrict__ y, long long count) {
  const float d = *divisor;
  each_element(count, y, [=](float x) { return x / d; }, x);
}
