// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average  global [round_up(N, 256)]  local [256]  (average, value, long(N))
*/
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void average(__global float* restrict average, __global const float* restrict value,
                                                                       long count) {
  long i = get_global_id(0);
  if (i < count) average[i] = 0.99f * average[i] + 0.01f * value[i];
}
