// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel differentiate grid [div_up(div_up(N * C, 4), 256)] block [256] (dy, x, alpha, scale, input_scale, dx, long(N * C))
*/
#include "blocks/elements.cuh"

extern "C" __global__ void differentiate(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ alpha,
                                         const float* __restrict__ scale, const float* __restrict__ input_scale, float* __restrict__ dx,
                                         long long count) {
  const float positive = *scale, inner = *input_scale, steepness = inner * (*alpha * positive);
  each_element(count, dx, [=](float dy, float x) { return dy * (x > 0 ? positive : steepness * expf(inner * x)); }, dy, x);
}
