// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy_rows  global [64 * K * div_up(D, 512)]  local [64]  (x, indices, y, D)
*/
// A work-group copies up to 512 elements of one row. In each step its work-items stand side by side; the steps are unrolled, so that a
// processor makes vectors of the work-items.
#define ITEMS 64
#define STEPS 8

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void copy_rows(__global const float* restrict x,
                                                                           __global const long* restrict indices,
                                                                           __global float* restrict y, long D) {
  const long across = (D + ITEMS * STEPS - 1) / (ITEMS * STEPS), row = (long)get_group_id(0) / across;
  const long first = ((long)get_group_id(0) - row * across) * (ITEMS * STEPS);
  const int width = (int)min(D - first, (long)(ITEMS * STEPS));
  const int item = get_local_id(0);
  __global const float* from = x + indices[row] * D + first;
  __global float* to = y + row * D + first;
#pragma unroll
  for (int i = 0; i < STEPS; ++i)
    if (i * ITEMS + item < width) to[i * ITEMS + item] = from[i * ITEMS + item];
}
