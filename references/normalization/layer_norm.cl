// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part:    double[N * div_up(C * H * W, 8192) * 2]
   scratch applied: float[N * 3]
   kernel add_moments  global [div_up(C * H * W, 8192) * 32, N]   local [32, 1]  (x, part, long(C * H * W))
   kernel finish       global [32, N]                             local [32, 1]
                       (x, part, applied, long(C * H * W), int(div_up(C * H * W, 8192)))
   kernel normalise    global [div_up(C * H * W, 1024) * 64, N]   local [64, 1]
                       (x, scale, bias, applied, y, long(C * H * W))
*/
// Work-groups gather both moments of pieces of a sample, in double and relative to the sample's first
// element, so that neither a large offset nor a constant input cancels. A second kernel makes of them the
// mean, in two floats, for one alone would cost the digits that a large offset hides, and the factor; a third
// applies them.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 8
#define PIECE 8192
#define STEP_ITEMS 64
#define LONG_VECTOR 16

double sum_lanes(double8 v) {
  const double4 a = v.lo + v.hi;
  const double2 b = a.lo + a.hi;
  return b.x + b.y;
}

// Sum and sum of squares of the distances to `origin`, over this work-item's share of `size` elements.
double2 item_moments(__global const float* x, int size, int item, double origin) {
  double8 sum = 0, squares = 0;
  const int whole = size / LANES * LANES;
  const int share = (whole / LANES + ITEMS - 1) / ITEMS * LANES;
  const int end = min((item + 1) * share, whole);
  for (int i = item * share; i < end; i += LANES) {
    const double8 distance = convert_double8(vload8(0, x + i)) - origin;
    sum += distance;
    squares += distance * distance;
  }
  double2 moments = (double2)(sum_lanes(sum), sum_lanes(squares));
  if (item < size - whole) {
    const double distance = x[whole + item] - origin;
    moments += (double2)(distance, distance * distance);
  }
  return moments;
}

// Adds up one pair of each work-item; only work-item 0 gets the sum.
double2 sum_over_group(__local double2* part, int item, double2 value) {
  part[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    for (int i = 1; i < ITEMS; ++i) value += part[i];
  return value;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void add_moments(__global const float* restrict x,
                                                                             __global double* restrict part,
                                                                             long size) {
  __local double2 sums[ITEMS];
  const int item = get_local_id(0);
  const long n = get_group_id(1), piece = get_group_id(0);
  x += n * size;
  const double2 moments =
      item_moments(x + piece * PIECE, (int)min(size - piece * PIECE, (long)PIECE), item, x[0]);
  const double2 sum = sum_over_group(sums, item, moments);
  if (item == 0) vstore2(sum, n * get_num_groups(0) + piece, part);
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void finish(__global const float* restrict x,
                                                                        __global const double* restrict part,
                                                                        __global float* restrict applied,
                                                                        long size, int pieces) {
  __local double2 sums[ITEMS];
  const int item = get_local_id(0);
  const long n = get_group_id(1);
  double2 moments = 0;
  for (int i = item; i < pieces; i += ITEMS) moments += vload2(n * pieces + i, part);
  moments = sum_over_group(sums, item, moments) / (double)size;
  if (item == 0) {
    // Never negative: the first distance is 0, so it is at least moments.y / size, far above its rounding.
    const double variance = moments.y - moments.x * moments.x;
    const double mean = x[n * size] + moments.x;
    const float high = (float)mean;
    applied[n * 3] = high;
    applied[n * 3 + 1] = (float)(mean - high);
    applied[n * 3 + 2] = (float)(1 / sqrt(variance + 1e-5));
  }
}

__kernel __attribute__((reqd_work_group_size(STEP_ITEMS, 1, 1))) void normalise(
    __global const float* restrict x, __global const float* restrict scale,
    __global const float* restrict bias, __global const float* restrict applied, __global float* restrict y,
    long size) {
  const long n = get_group_id(1);
  const float high = applied[n * 3], low = applied[n * 3 + 1], factor = applied[n * 3 + 2];
  x += n * size;
  y += n * size;
  const long begin = (long)get_global_id(0) * LONG_VECTOR;
  if (begin + LONG_VECTOR <= size) {
    const float16 value = ((vload16(0, x + begin) - high) - low) * factor;
    vstore16(value * vload16(0, scale + begin) + vload16(0, bias + begin), 0, y + begin);
  } else {
    for (long i = begin; i < size; ++i) y[i] = ((x[i] - high) - low) * factor * scale[i] + bias[i];
  }
}
