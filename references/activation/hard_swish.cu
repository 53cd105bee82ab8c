// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel hard_swish grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// Comparisons let NaN pass.
#include "blocks/elements.cuh"

__device__ float hard_swish_of(float x) {
  const float sum = x + 3, share = sum < 0 ? 0 : sum > 6 ? 6 : sum;
  return x * (share / 6);
}

extern "C" __global__ void hard_swish(const float* __restrict__ x, float* __restrict__ y, long long count) {
  each_element(count, y, hard_swish_of, x);
}
