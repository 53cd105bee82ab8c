// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu6 grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// Comparisons let NaN pass.
#include "blocks/elements.cuh"

extern "C" __global__ void relu6(const float* __restrict__ x, float* __restrict__ y, long long count) {
  each_element(count, y, [](float x) { return x < 0 ? 0 : x > 6 ? 6 : x; }, x);
}
