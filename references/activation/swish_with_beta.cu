// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel swish grid [div_up(div_up(N * C, 4), 256)] block [256] (x, beta, y, long(N * C))
*/
// Where the exponential overflows the quotient is 0, as it should be.
#include "blocks/elements.cuh"

extern "C" __global__ void swish(const float* __restrict__ x, const float* __restrict__ beta, float* __restrict__ y, long long count) {
  const float steepness = *beta;
  each_element(count, y, [=](float x) { return x / (1 + expf(-steepness * x)); }, x);
}
