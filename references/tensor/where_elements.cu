// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel choose grid [div_up(div_up(N * C, 4), 256)] block [256] (condition, a, b, y, long(N * C))
*/
#include "blocks/elements.cuh"

extern "C" __global__ void choose(const unsigned char* __restrict__ condition, const float* __restrict__ a, const float* __restrict__ b,
                                  float* __restrict__ y, long long count) {
  each_element(count, y, [](unsigned char condition, float a, float b) { return condition ? a : b; }, condition, a, b);
}
