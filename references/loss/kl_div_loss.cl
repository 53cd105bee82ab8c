// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch row_sums: double[N]
   kernel sum_rows  global [64 * N]  local [64]  (x, target, row_sums, C)
   kernel finish    global [64]      local [64]  (row_sums, y, N)
*/
// A work-group has a row. The terms have both signs and their sum may be small beside them, so it is double.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 64

double sum_of_group(double value, __local double* part) {
  const int item = get_local_id(0);
  part[item] = value;
  for (int width = ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] += part[item + width];
  }
  return part[0];
}

__kernel void sum_rows(__global const float* restrict x, __global const float* restrict target,
                       __global double* restrict row_sums, long C) {
  __local double part[ITEMS];
  x += get_group_id(0) * C;
  target += get_group_id(0) * C;
  double sum = 0;
  for (long c = get_local_id(0); c < C; c += ITEMS) {
    const double t = target[c];
    if (t != 0) sum += t * (log(t) - log((double)x[c]));
  }
  sum = sum_of_group(sum, part);
  if (get_local_id(0) == 0) row_sums[get_group_id(0)] = sum;
}

__kernel void finish(__global const double* restrict row_sums, __global float* restrict y, long N) {
  __local double part[ITEMS];
  double sum = 0;
  for (long n = get_local_id(0); n < N; n += ITEMS) sum += row_sums[n];
  sum = sum_of_group(sum, part);
  if (get_local_id(0) == 0) *y = (float)(sum / N);
}
