// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy_rows  global [64 * B * S, div_up(D, 512)]  local [64, 1]  (indices, table, y, D)
*/
// A work-group copies up to 512 elements of one row. In each step its work-items stand side by side, so a
// GPU coalesces them and a processor makes vectors of them; the steps are unrolled, or it could not.
#define ITEMS 64
#define STEPS 8

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void copy_rows(
    __global const long* restrict indices, __global const float* restrict table, __global float* restrict y,
    long D) {
  const long row = get_group_id(0);
  const long first = (long)get_group_id(1) * (ITEMS * STEPS);
  const int width = (int)min(D - first, (long)(ITEMS * STEPS));
  const int item = get_local_id(0);
  __global const float* from = table + indices[row] * D + first;
  __global float* to = y + row * D + first;
#pragma unroll
  for (int i = 0; i < STEPS; ++i)
    if (i * ITEMS + item < width) to[i * ITEMS + item] = from[i * ITEMS + item];
}
