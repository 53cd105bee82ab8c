// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel sgd  global [round_up(N * M, 256)]  local [256]
               (param, grad, velocity, new_param, new_velocity, long(N * M))
*/
// One pass over all five arrays: limited by memory, so the four operators of the model cost one trip. One
// element for each work-item.

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sgd(__global const float* restrict param,
                                                                   __global const float* restrict grad,
                                                                   __global const float* restrict velocity,
                                                                   __global float* restrict new_param,
                                                                   __global float* restrict new_velocity,
                                                                   long count) {
  long i = get_global_id(0);
  if (i >= count) return;
  float speed = 0.9f * velocity[i] + grad[i];
  new_velocity[i] = speed;
  new_param[i] = param[i] - 0.01f * speed;
}
