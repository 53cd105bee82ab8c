// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel differentiate grid [div_up(div_up(N * C, 4), 256)] block [256] (dy, x, dx, long(N * C))
*/
#include "blocks/elements.cuh"

extern "C" __global__ void differentiate(const float* __restrict__ dy, const float* __restrict__ x, float* __restrict__ dx,
                                         long long count) {
  each_element(count, dx, [](float dy, float x) { return x > -3 && x < 3 ? dy / 6 : 0; }, dy, x);
}
