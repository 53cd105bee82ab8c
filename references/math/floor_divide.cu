// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel divide grid [div_up(div_up(N * C, 4), 256)] block [256] (a, b, q, long(N * C))
*/
// The quotient is rounded as IEEE 754 says, since one beside a whole number would be off by 1.
#include "blocks/elements.cuh"

extern "C" __global__ void divide(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ q, long long count) {
  each_element(count, q, [](float a, float b) { return floorf(__fdiv_rn(a, b)); }, a, b);
}
