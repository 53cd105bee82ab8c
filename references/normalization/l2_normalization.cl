// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise  global [32 * N]  local [32]  (x, y, C)
*/
// A work-group has a row, a work-item a piece of it. Squares, norm and products are doubles: no float is so large or so small that they
// leave the range.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 16

double sum_lanes(double16 v) {
  const double8 a = v.lo + v.hi;
  const double4 b = a.lo + a.hi;
  const double2 c = b.lo + b.hi;
  return c.x + c.y;
}

double sum_of_squares(__global const float* x, long begin, long end) {
  double16 squares = 0;
  long c = begin;
  for (; c + LANES <= end; c += LANES) {
    const double16 value = convert_double16(vload16(0, x + c));
    squares += value * value;
  }
  double sum = sum_lanes(squares);
  for (; c < end; ++c) sum += (double)x[c] * x[c];
  return sum;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void normalise(__global const float* restrict x,
                                                                           __global float* restrict y, long C) {
  __local double parts[ITEMS];
  const int item = get_local_id(0);
  x += get_group_id(0) * C;
  y += get_group_id(0) * C;
  const long share = (C + ITEMS * LANES - 1) / (ITEMS * LANES) * LANES;
  const long begin = min(item * share, C), end = min(begin + share, C);
  parts[item] = sum_of_squares(x, begin, end);
  barrier(CLK_LOCAL_MEM_FENCE);

  if (item == 0) {
    double sum = 0;
    for (int i = 0; i < ITEMS; ++i) sum += parts[i];
    parts[0] = 1 / sqrt(sum);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const double factor = parts[0];
  long c = begin;
  for (; c + LANES <= end; c += LANES) vstore16(convert_float16(convert_double16(vload16(0, x + c)) * factor), 0, y + c);
  for (; c < end; ++c) y[c] = (float)(x[c] * factor);
}
