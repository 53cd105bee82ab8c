// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch hinge: double[N]
   kernel row_hinges  global [32 * N]  local [32]  (anchor, positive, negative, hinge, D)
   kernel mean        global [256]    local [256]    (hinge, y, N)
*/
// A work-group takes a row, each of its work-items a stretch of it and one element of the tail. Squares are
// added in double: it costs little beside reading three tensors, no square overflows, and the difference of
// the two distances keeps its digits.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 8
#define MEAN_ITEMS 256

double sum_lanes(double8 v) {
  const double4 a = v.lo + v.hi;
  const double2 b = a.lo + a.hi;
  return b.x + b.y;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void row_hinges(
    __global const float* restrict anchor, __global const float* restrict positive,
    __global const float* restrict negative, __global double* restrict hinge, long D) {
  const float eps = 1e-6f;
  const double margin = 1.0;
  __local double part_p[ITEMS], part_n[ITEMS];
  const int item = get_local_id(0);
  const long n = get_group_id(0);
  anchor += n * D;
  positive += n * D;
  negative += n * D;

  double8 squares_p = 0, squares_n = 0;
  const long whole = D / LANES * LANES;
  const long share = (whole / LANES + ITEMS - 1) / ITEMS * LANES;
  const long end = min((item + 1) * share, whole);
  for (long d = item * share; d < end; d += LANES) {
    const float8 a = vload8(0, anchor + d);
    const double8 p = convert_double8(a - vload8(0, positive + d) + eps);
    const double8 q = convert_double8(a - vload8(0, negative + d) + eps);
    squares_p += p * p;
    squares_n += q * q;
  }
  double sum_p = sum_lanes(squares_p), sum_n = sum_lanes(squares_n);
  if (item < D - whole) {
    const double p = anchor[whole + item] - positive[whole + item] + eps;
    const double q = anchor[whole + item] - negative[whole + item] + eps;
    sum_p += p * p;
    sum_n += q * q;
  }
  part_p[item] = sum_p;
  part_n[item] = sum_n;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    for (int i = 1; i < ITEMS; ++i) {
      sum_p += part_p[i];
      sum_n += part_n[i];
    }
    const double excess = sqrt(sum_p) - sqrt(sum_n) + margin;
    hinge[n] = excess < 0 ? 0 : excess;  // a NaN stays one
  }
}

__kernel __attribute__((reqd_work_group_size(MEAN_ITEMS, 1, 1))) void mean(
    __global const double* restrict hinge, __global float* restrict y, long N) {
  __local double part[MEAN_ITEMS];
  const int item = get_local_id(0);
  double sum = 0;
  for (long n = item; n < N; n += MEAN_ITEMS) sum += hinge[n];
  part[item] = sum;
  for (int half_width = MEAN_ITEMS / 2; half_width > 0; half_width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_width) part[item] += part[item + half_width];
  }
  if (item == 0) *y = (float)(part[0] / N);
}
