// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel spread  global [round_up(N * C, 64)]  local [64]  (x, y, long(N * C))
*/
__kernel void spread(__global const long* restrict x, __global long* restrict y, long count) {
  const long i = get_global_id(0);
  if (i >= count) return;
  const long class = x[i];
  vstore8(class == (long8)(0, 1, 2, 3, 4, 5, 6, 7) & 1, 0, y + i * 10);
  vstore2(class == (long2)(8, 9) & 1, 0, y + i * 10 + 8);
}
