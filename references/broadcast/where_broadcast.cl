// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pick_rows  global [4, round_up(N, 64), B]  local [4, 64, 1]  (cond, a, b, y, N, C)
*/
// The condition decides a whole row, so each row is one copy and the other tensor's row is never read.
// Four work-items share a row: sixteen numbers at a time where all rows begin at multiples of sixteen,
// else one.

__kernel __attribute__((reqd_work_group_size(4, 64, 1))) void pick_rows(__global const uchar* restrict cond,
                                                                        __global const float* restrict a,
                                                                        __global const float* restrict b,
                                                                        __global float* restrict y, long N,
                                                                        long C) {
  long n = get_global_id(1);
  if (n >= N) return;
  long row = (get_global_id(2) * N + n) * C;
  long lane = get_local_id(0);
  __global const float* from = (cond[n] ? a : b) + row;
  __global float* to = y + row;
  if (C % 16 == 0) {
    for (long c = lane; c < C / 16; c += 4) ((__global float16*)to)[c] = ((__global const float16*)from)[c];
  } else {
    for (long c = lane; c < C; c += 4) to[c] = from[c];
  }
}
