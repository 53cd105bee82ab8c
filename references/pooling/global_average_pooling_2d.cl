// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average  global [32 * N * C]  local [32]  (x, y, long(H * W))
*/
// A work-group has a channel, a work-item a piece of it.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 16

double sum_lanes(double16 v) {
  const double8 a = v.lo + v.hi;
  const double4 b = a.lo + a.hi;
  const double2 c = b.lo + b.hi;
  return c.x + c.y;
}

double sum_of(__global const float* x, long begin, long end) {
  double16 sums = 0;
  long i = begin;
  for (; i + LANES <= end; i += LANES) sums += convert_double16(vload16(0, x + i));
  double sum = sum_lanes(sums);
  for (; i < end; ++i) sum += x[i];
  return sum;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void average(__global const float* restrict x, __global float* restrict y,
                                                                         long size) {
  __local double parts[ITEMS];
  const int item = get_local_id(0);
  const long share = (size + ITEMS * LANES - 1) / (ITEMS * LANES) * LANES;
  const long begin = min(item * share, size), end = min(begin + share, size);
  parts[item] = sum_of(x + get_group_id(0) * size, begin, end);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item > 0) return;
  double sum = 0;
  for (int i = 0; i < ITEMS; ++i) sum += parts[i];
  y[get_group_id(0)] = (float)(sum / size);
}
