// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel sum_from_the_end  global [32 * N]  local [32]  (x, y, C)
*/
// A work-group takes a row in tiles of 512 elements, the last tile first, and a work-item sixteen elements of
// the tile. They are summed by doubling steps; one work-item then sums the 32 totals likewise, and everyone
// adds what lies behind its elements. What a tile carries to the one before is a double.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 16

// Sixteen elements of which the first `missing` lie before the row.
float16 load_end(__global const float* from, int missing) {
  if (missing <= 0) return vload16(0, from);
  float lanes[LANES];
  for (int i = 0; i < LANES; ++i) lanes[i] = i < missing ? 0.0f : from[i];
  return vload16(0, lanes);
}

void store_end(float16 v, __global float* to, int missing) {
  if (missing <= 0) {
    vstore16(v, 0, to);
    return;
  }
  float lanes[LANES];
  vstore16(v, 0, lanes);
  for (int i = missing; i < LANES; ++i) to[i] = lanes[i];
}

float16 suffix_sums(float16 v) {
  v += (float16)(v.s1234, v.s5678, v.s9abc, v.sdef, 0.0f);
  v += (float16)(v.s2345, v.s6789, v.sabcd, v.sef, 0.0f, 0.0f);
  v += (float16)(v.s4567, v.s89ab, v.scdef, (float4)(0.0f));
  v += (float16)(v.hi, (float8)(0.0f));
  return v;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void sum_from_the_end(
    __global const float* restrict x, __global float* restrict y, long C) {
  __local float total[ITEMS], behind[ITEMS + 1];
  const int item = get_local_id(0);
  x += get_group_id(0) * C;
  y += get_group_id(0) * C;
  double carry = 0;
  for (long end = C; end > 0; end -= ITEMS * LANES) {
    const long begin = end - (item + 1) * LANES;
    const int missing = (int)clamp(-begin, 0L, (long)LANES);
    const float16 sums = suffix_sums(load_end(x + begin, missing));
    total[ITEMS - 1 - item] = sums.s0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
      const float16 second = suffix_sums(vload16(1, total));
      const float16 first = suffix_sums(vload16(0, total)) + second.s0;
      const float carried = (float)carry;
      behind[ITEMS] = carried;
      vstore16(second + carried, 1, behind);
      vstore16(first + carried, 0, behind);
      carry += first.s0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    store_end(sums + behind[ITEMS - item], y + begin, missing);
  }
}
