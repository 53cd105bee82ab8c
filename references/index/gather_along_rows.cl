// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gather  global [64 * N * div_up(K, 512)]  local [64]  (x, indices, y, M, K)
*/
// A work-group gathers up to 512 elements of one row. In each step its work-items stand side by side; the steps are unrolled, so that a
// processor makes vectors of the work-items.
#define ITEMS 64
#define STEPS 8

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void gather(__global const float* restrict x,
                                                                        __global const long* restrict indices, __global float* restrict y,
                                                                        long M, long K) {
  const long across = (K + ITEMS * STEPS - 1) / (ITEMS * STEPS), row = (long)get_group_id(0) / across;
  const long first = ((long)get_group_id(0) - row * across) * (ITEMS * STEPS);
  const int width = (int)min(K - first, (long)(ITEMS * STEPS));
  const int item = get_local_id(0);
  x += row * M;
  indices += row * K + first;
  y += row * K + first;
#pragma unroll
  for (int i = 0; i < STEPS; ++i)
    if (i * ITEMS + item < width) y[i * ITEMS + item] = x[indices[i * ITEMS + item]];
}
