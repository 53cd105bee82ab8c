// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel sum_from_the_end  global [16 * N]  local [16]  (x, y, C)
*/
// A work-group takes a row and a work-item a sixteenth of it: it sums its part, and once all parts are summed
// it goes through its own again, from the end, starting with what lies behind. The sums inside one vector are
// formed by doubling steps, so that only one addition for each vector waits for the vector behind it. That
// carry is a double.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 16
#define LANES 8

float8 suffix_sums(float8 v) {
  v += (float8)(v.s1234, v.s567, 0.0f);
  v += (float8)(v.s2345, v.s67, (float2)(0.0f));
  v += (float8)(v.hi, (float4)(0.0f));
  return v;
}

double sum_of(__global const float* x, long begin, long end) {
  float8 sums = 0.0f;
  long c = begin;
  for (; c + LANES <= end; c += LANES) sums += vload8(0, x + c);
  double sum = suffix_sums(sums).s0;
  for (; c < end; ++c) sum += x[c];
  return sum;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void sum_from_the_end(
    __global const float* restrict x, __global float* restrict y, long C) {
  __local double total[ITEMS];
  const int item = get_local_id(0);
  x += get_group_id(0) * C;
  y += get_group_id(0) * C;
  const long part = (C + ITEMS * LANES - 1) / (ITEMS * LANES) * LANES;
  const long begin = min(item * part, C), end = min(begin + part, C);
  total[item] = sum_of(x, begin, end);
  barrier(CLK_LOCAL_MEM_FENCE);

  double carry = 0;
  for (int i = ITEMS - 1; i > item; --i) carry += total[i];
  long c = end;
  for (; c >= begin + LANES; c -= LANES) {
    const float8 sums = suffix_sums(vload8(0, x + c - LANES));
    vstore8(sums + (float)carry, 0, y + c - LANES);
    carry += sums.s0;
  }
  for (; c > begin; --c) {
    carry += x[c - 1];
    y[c - 1] = (float)carry;
  }
}
