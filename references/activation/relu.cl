// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu  global [round_up(N * C, 256)]  local [256]  (x, y, long(N * C))
*/
// One pass, one element for each work-item: neighbours touch neighbours, which a CPU turns into vectors
// and a GPU into whole cache lines. The comparison is written so that a NaN comes out as NaN.

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void relu(__global const float* restrict x,
                                                                    __global float* restrict y, long count) {
  long i = get_global_id(0);
  if (i < count) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
