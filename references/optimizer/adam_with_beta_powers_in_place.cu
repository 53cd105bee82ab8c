// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(div_up(N, 4), 256)] block [256] (param, m, v, grad, beta1_power, beta2_power, rate, N)
*/
// A thread has four neighbouring parameters; those of the last one may be fewer. What it loads is on its way while it finds the rate.
#include "blocks/elements.cuh"

__device__ void step_of(float& param, float& m, float& v, float grad, float rate) {
  m = 0.9f * m + 0.1f * grad;
  v = 0.999f * v + 0.001f * (grad * grad);
  param -= rate * (m / (sqrtf(v) + 1e-8f));
}

__device__ float corrected(const float* rate, const float* beta1_power, const float* beta2_power) {
  return *rate * sqrtf(1 - *beta2_power) / (1 - *beta1_power);
}

extern "C" __global__ void step(float* __restrict__ param, float* __restrict__ m, float* __restrict__ v, const float* __restrict__ grad,
                                const float* __restrict__ beta1_power, const float* __restrict__ beta2_power,
                                const float* __restrict__ rate, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    Four<float> params = four_of(param + i), first = four_of(m + i), second = four_of(v + i);
    const Four<float> slopes = four_of(grad + i);
    const float pace = corrected(rate, beta1_power, beta2_power);
#pragma unroll
    for (int k = 0; k < 4; ++k) step_of(params.at[k], first.at[k], second.at[k], slopes.at[k], pace);
    store(param + i, params);
    store(m + i, first);
    store(v + i, second);
    return;
  }
  for (long long k = i; k < count; ++k) step_of(param[k], m[k], v[k], grad[k], corrected(rate, beta1_power, beta2_power));
}
