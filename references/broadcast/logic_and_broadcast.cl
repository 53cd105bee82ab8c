// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel and_rows  global [16, round_up(N, 16), B]  local [16, 16, 1]  (a, b, y, N, C)
*/
// b decides a whole row, so there is one mask for it. Sixteen work-items share a row: sixteen bytes at a
// time where all rows begin at multiples of sixteen, else one.

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void and_rows(__global const uchar* restrict a,
                                                                        __global const uchar* restrict b,
                                                                        __global uchar* restrict y, long N,
                                                                        long C) {
  long n = get_global_id(1);
  if (n >= N) return;
  long row = (get_global_id(2) * N + n) * C;
  long lane = get_local_id(0);
  if (C % 16 == 0) {
    uint4 mask = (uint4)(b[n] ? 0xffffffffu : 0u);
    __global const uint4* restrict from = (__global const uint4*)(a + row);
    __global uint4* restrict to = (__global uint4*)(y + row);
    for (long c = lane; c < C / 16; c += 16) to[c] = from[c] & mask;
  } else {
    uchar mask = b[n] ? 0xff : 0;
    for (long c = lane; c < C; c += 16) y[row + c] = a[row + c] & mask;
  }
}
