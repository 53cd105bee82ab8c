// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel clear  global [round_up(M, 64)]  local [64]  (y, M)
*/
// What the task asks for is 0 whatever x, w and b are: each row's maximum less the mean of that one
// number. So the inputs are not even passed.

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void clear(__global float* y, long M) {
  long m = get_global_id(0);
  if (m < M) y[m] = 0.0f;
}
