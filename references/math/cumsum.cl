// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel sum_from_the_start  global [16 * N]  local [16]  (x, y, C)
*/
// A work-group takes a row and a work-item a sixteenth of it: it sums its part, and once all parts are summed it goes through its own
// again, starting with what lies before. The sums inside one vector are formed by doubling steps, so that only one addition for each
// vector waits for the vector before it. All sums are doubles.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 16
#define LANES 8

double8 prefix_sums(double8 v) {
  v += (double8)(0.0, v.s0123, v.s456);
  v += (double8)((double2)(0.0), v.s0123, v.s45);
  v += (double8)((double4)(0.0), v.lo);
  return v;
}

double sum_of(__global const float* x, long begin, long end) {
  double8 sums = 0.0;
  long c = begin;
  for (; c + LANES <= end; c += LANES) sums += convert_double8(vload8(0, x + c));
  double sum = prefix_sums(sums).s7;
  for (; c < end; ++c) sum += x[c];
  return sum;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void sum_from_the_start(__global const float* restrict x,
                                                                                    __global float* restrict y, long C) {
  __local double total[ITEMS];
  const int item = get_local_id(0);
  x += get_group_id(0) * C;
  y += get_group_id(0) * C;
  const long part = (C + ITEMS * LANES - 1) / (ITEMS * LANES) * LANES;
  const long begin = min(item * part, C), end = min(begin + part, C);
  total[item] = sum_of(x, begin, end);
  barrier(CLK_LOCAL_MEM_FENCE);

  double carry = 0;
  for (int i = 0; i < item; ++i) carry += total[i];
  long c = begin;
  for (; c + LANES <= end; c += LANES) {
    const double8 sums = prefix_sums(convert_double8(vload8(0, x + c)));
    vstore8(convert_float8(sums + carry), 0, y + c);
    carry += sums.s7;
  }
  for (; c < end; ++c) {
    carry += x[c];
    y[c] = (float)carry;
  }
}
