// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel sum_up  global [16 * N]  local [16]  (x, mask, y, C)
*/
// A work-group takes a row and a work-item a sixteenth of it: it sums its part, and once all parts are summed
// it goes through its own again, starting with what lies before. The sums inside one vector are formed by
// doubling steps, and those of two vectors joined, so that only one addition for each sixteen elements waits
// for those before. That carry is a double. The mask multiplies, so a masked NaN stays a NaN.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 16
#define LANES 8

float8 load_kept(__global const float* x, __global const uchar* mask) {
  return vload8(0, x) * convert_float8(vload8(0, mask));
}

float8 prefix_sums(float8 v) {
  v += (float8)(0.0f, v.s0123, v.s456);
  v += (float8)((float2)(0.0f), v.s0123, v.s45);
  v += (float8)((float4)(0.0f), v.lo);
  return v;
}

double sum_of(__global const float* x, __global const uchar* mask, long begin, long end) {
  float8 sums = 0.0f;
  long c = begin;
  for (; c + LANES <= end; c += LANES) sums += load_kept(x + c, mask + c);
  double sum = prefix_sums(sums).s7;
  for (; c < end; ++c) sum += x[c] * mask[c];
  return sum;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void sum_up(__global const float* restrict x,
                                                                        __global const uchar* restrict mask,
                                                                        __global float* restrict y, long C) {
  __local double total[ITEMS];
  const int item = get_local_id(0);
  x += get_group_id(0) * C;
  mask += get_group_id(0) * C;
  y += get_group_id(0) * C;
  const long part = (C + ITEMS * 2 * LANES - 1) / (ITEMS * 2 * LANES) * 2 * LANES;
  const long begin = min(item * part, C), end = min(begin + part, C);
  total[item] = sum_of(x, mask, begin, end);
  barrier(CLK_LOCAL_MEM_FENCE);

  double carry = 0;
  for (int i = 0; i < item; ++i) carry += total[i];
  long c = begin;
  for (; c + 2 * LANES <= end; c += 2 * LANES) {
    const float8 first = prefix_sums(load_kept(x + c, mask + c));
    const float8 second = prefix_sums(load_kept(x + c + LANES, mask + c + LANES)) + first.s7;
    vstore8(first + (float)carry, 0, y + c);
    vstore8(second + (float)carry, 0, y + c + LANES);
    carry += second.s7;
  }
  for (; c < end; ++c) {
    carry += x[c] * mask[c];
    y[c] = (float)carry;
  }
}
