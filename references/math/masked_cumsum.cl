// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel sum_up  global [32 * N]  local [32]  (x, mask, y, C)
*/
// A work-group takes a row in tiles of 512 elements, a work-item sixteen elements of the tile. They are
// summed by doubling steps; one work-item then sums the 32 totals likewise, and everyone adds what lies
// before its elements. What a tile carries to the next is a double. The mask multiplies, so a masked NaN
// stays a NaN.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 16

// Sixteen kept elements, of which `present` lie in the row.
float16 load_kept(__global const float* x, __global const uchar* mask, int present) {
  if (present >= LANES) return vload16(0, x) * convert_float16(vload16(0, mask));
  float lanes[LANES];
  for (int i = 0; i < LANES; ++i) lanes[i] = i < present ? x[i] * mask[i] : 0.0f;
  return vload16(0, lanes);
}

void store_begin(float16 v, __global float* to, int present) {
  if (present >= LANES) {
    vstore16(v, 0, to);
    return;
  }
  float lanes[LANES];
  vstore16(v, 0, lanes);
  for (int i = 0; i < present; ++i) to[i] = lanes[i];
}

float16 prefix_sums(float16 v) {
  v += (float16)(0.0f, v.s0123, v.s4567, v.s89ab, v.scde);
  v += (float16)(0.0f, 0.0f, v.s0123, v.s4567, v.s89ab, v.scd);
  v += (float16)((float4)(0.0f), v.s0123, v.s4567, v.s89ab);
  v += (float16)((float8)(0.0f), v.lo);
  return v;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void sum_up(__global const float* restrict x,
                                                                        __global const uchar* restrict mask,
                                                                        __global float* restrict y, long C) {
  __local float total[ITEMS], before[ITEMS + 1];
  const int item = get_local_id(0);
  x += get_group_id(0) * C;
  mask += get_group_id(0) * C;
  y += get_group_id(0) * C;
  double carry = 0;
  for (long tile = 0; tile < C; tile += ITEMS * LANES) {
    const long begin = tile + item * LANES;
    const int present = (int)clamp(C - begin, 0L, (long)LANES);
    const float16 sums = prefix_sums(load_kept(x + begin, mask + begin, present));
    total[item] = sums.sf;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
      const float16 first = prefix_sums(vload16(0, total));
      const float16 second = prefix_sums(vload16(1, total)) + first.sf;
      const float carried = (float)carry;
      before[0] = carried;
      vstore16(first + carried, 0, before + 1);
      vstore16(second + carried, 1, before + 1);
      carry += second.sf;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    store_begin(sums + before[item], y + begin, present);
  }
}
