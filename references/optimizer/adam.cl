// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel adam  global [round_up(N * M, 256)]  local [256]
                (param, grad, m, v, new_param, new_m, new_v, long(N * M))
*/
// One pass over all seven arrays: limited by memory, so the fourteen operators of the model cost one trip.
// The two corrections by 1 - beta are folded into constants, which leaves one root and one division.

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void adam(
    __global const float* restrict param, __global const float* restrict grad,
    __global const float* restrict m, __global const float* restrict v, __global float* restrict new_param,
    __global float* restrict new_m, __global float* restrict new_v, long count) {
  const float rate = 0.001f / 0.1f;        // learning rate / (1 - beta1)
  const float correction = 1.0f / 0.001f;  // 1 / (1 - beta2)
  long i = get_global_id(0);
  if (i >= count) return;
  float g = grad[i];
  float first = 0.9f * m[i] + 0.1f * g;
  float second = 0.999f * v[i] + 0.001f * (g * g);
  new_m[i] = first;
  new_v[i] = second;
  new_param[i] = param[i] - rate * first / (sqrt(second * correction) + 1e-8f);
}
