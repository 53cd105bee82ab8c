// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel differentiate grid [div_up(div_up(N * C, 4), 256)] block [256] (dy, y, alpha, scale, input_scale, dx, long(N * C))
*/
#include "blocks/elements.cuh"

extern "C" __global__ void differentiate(const float* __restrict__ dy, const float* __restrict__ y, const float* __restrict__ alpha,
                                         const float* __restrict__ scale, const float* __restrict__ input_scale, float* __restrict__ dx,
                                         long long count) {
  const float positive = *scale, inner = *input_scale, least = *alpha * positive;
  each_element(count, dx, [=](float dy, float y) { return dy * (y > 0 ? positive : inner * (y + least)); }, dy, y);
}
