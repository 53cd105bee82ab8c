// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel keep_lower  global [round_up(C, 64), N]  local [64, 1]  (x, y, C)
*/
__kernel void keep_lower(__global const long* restrict x, __global long* restrict y, long C) {
  const long c = get_global_id(0), n = get_global_id(1);
  if (c < C) y[n * C + c] = c <= n ? x[n * C + c] : 0;
}
