// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel compare grid [div_up(div_up(N * C, 4), 256)] block [256] (x, value, y, long(N * C))
*/
#include "blocks/elements.cuh"

extern "C" __global__ void compare(const float* __restrict__ x, const float* __restrict__ value, unsigned char* __restrict__ y,
                                   long long count) {
  const float other = *value;
  each_element(count, y, [=](float x) { return x != other; }, x);
}
