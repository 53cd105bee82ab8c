// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel elu grid [div_up(div_up(N * C, 4), 256)] block [256] (x, alpha, scale, input_scale, y, long(N * C))
*/
// expm1f does not cancel next to zero.
#include "blocks/elements.cuh"

extern "C" __global__ void elu(const float* __restrict__ x, const float* __restrict__ alpha, const float* __restrict__ scale,
                               const float* __restrict__ input_scale, float* __restrict__ y, long long count) {
  const float positive = *scale, inner = *input_scale, negative = *alpha * positive;
  each_element(count, y, [=](float x) { return x > 0 ? positive * x : negative * expm1f(inner * x); }, x);
}
