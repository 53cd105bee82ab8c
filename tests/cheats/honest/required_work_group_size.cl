// SPDX-License-Identifier: Apache-2.0
// task: relu
/* launch
   kernel relu global [round_up(N * C, 32)] local [32] (x, y, long(N * C))
*/
__attribute__((reqd_work_group_size(32, 1, 1))) __kernel void relu(__global const float* restrict x, __global float* restrict y,
                                                                  long n) {
  for (long i = get_group_id(0) * 32 + get_local_id(0); i < n; i += get_num_groups(0) * 32) y[i] = x[i] <= 0 ? 0 : x[i];
}
