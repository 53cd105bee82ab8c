// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part:    double[C * N * div_up(H * W, 8192) * 2]
   scratch applied: float[C * 4]
   kernel add_moments  global [div_up(H * W, 8192) * 32, C, N]   local [32, 1, 1]  (x, part, long(H * W))
   kernel finish       global [32, C]                            local [32, 1]
                       (x, scale, bias, running_mean, running_var, part, new_mean, new_var, applied,
                        long(H * W), N, long(N * div_up(H * W, 8192)))
   kernel normalise    global [div_up(H * W, 1024) * 64, C, N]   local [64, 1, 1]
                       (x, applied, y, long(H * W))
*/
// Work-groups gather both moments of pieces of a plane, in double and relative to the channel's first
// element, so that neither a large offset nor a constant input cancels. A second kernel joins a channel's
// pieces: the running statistics, the mean in two floats, for one alone would cost the digits that a large
// offset hides, and the factor. A third applies.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 8
#define PIECE 8192
#define STEP_ITEMS 64
#define LONG_VECTOR 16
#define MOMENTUM 0.875
#define EPSILON 1e-5

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
  const long piece = get_group_id(0), c = get_group_id(1), n = get_group_id(2);
  __global const float* plane = x + (n * get_num_groups(1) + c) * size;
  const double2 moments =
      item_moments(plane + piece * PIECE, (int)min(size - piece * PIECE, (long)PIECE), item, x[c * size]);
  const double2 sum = sum_over_group(sums, item, moments);
  if (item == 0) vstore2(sum, (c * get_num_groups(2) + n) * get_num_groups(0) + piece, part);
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void finish(
    __global const float* restrict x, __global const float* restrict scale,
    __global const float* restrict bias, __global const float* restrict running_mean,
    __global const float* restrict running_var, __global const double* restrict part,
    __global float* restrict new_mean, __global float* restrict new_var, __global float* restrict applied,
    long size, long N, long pieces) {
  __local double2 sums[ITEMS];
  const int item = get_local_id(0);
  const long c = get_group_id(1);
  double2 moments = 0;
  for (long i = item; i < pieces; i += ITEMS) moments += vload2(c * pieces + i, part);
  moments = sum_over_group(sums, item, moments) / (double)(N * size);
  if (item == 0) {
    // Never negative: the first distance is 0, so it is at least moments.y / (N size), far above its
    // rounding.
    const double variance = moments.y - moments.x * moments.x;
    const double mean = x[c * size] + moments.x;
    new_mean[c] = (float)(MOMENTUM * running_mean[c] + (1 - MOMENTUM) * mean);
    new_var[c] = (float)(MOMENTUM * running_var[c] + (1 - MOMENTUM) * variance);
    const float high = (float)mean;
    vstore4((float4)(high, (float)(mean - high), (float)(scale[c] / sqrt(variance + EPSILON)), bias[c]), c,
            applied);
  }
}

__kernel __attribute__((reqd_work_group_size(STEP_ITEMS, 1, 1))) void normalise(
    __global const float* restrict x, __global const float* restrict applied, __global float* restrict y,
    long size) {
  const long c = get_group_id(1), n = get_group_id(2);
  const float4 channel = vload4(c, applied);
  const float high = channel.x, low = channel.y, factor = channel.z, shift = channel.w;
  x += (n * get_num_groups(1) + c) * size;
  y += (n * get_num_groups(1) + c) * size;
  const long begin = (long)get_global_id(0) * LONG_VECTOR;
  if (begin + LONG_VECTOR <= size) {
    vstore16(((vload16(0, x + begin) - high) - low) * factor + shift, 0, y + begin);
  } else {
    for (long i = begin; i < size; ++i) y[i] = ((x[i] - high) - low) * factor + shift;
  }
}
