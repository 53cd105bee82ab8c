// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel group_norm  global [32 * 8 * N]  local [32]  (x, scale, bias, y, long(C / 8), long(H * W))
*/
// A work-group has a group of channels, a work-item a piece of it. The moments are doubles and relative to the group's first element, so
// that neither a large offset nor a constant input cancels. The mean is applied as two floats, for one alone would cost the digits that
// a large offset hides.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 16

double sum_lanes(double16 v) {
  const double8 a = v.lo + v.hi;
  const double4 b = a.lo + a.hi;
  const double2 c = b.lo + b.hi;
  return c.x + c.y;
}

// Sum and sum of squares of the distances to `origin`.
double2 part_moments(__global const float* x, long begin, long end, double origin) {
  double16 sum = 0, squares = 0;
  long i = begin;
  for (; i + LANES <= end; i += LANES) {
    const double16 distance = convert_double16(vload16(0, x + i)) - origin;
    sum += distance;
    squares += distance * distance;
  }
  double2 moments = (double2)(sum_lanes(sum), sum_lanes(squares));
  for (; i < end; ++i) {
    const double distance = x[i] - origin;
    moments += (double2)(distance, distance * distance);
  }
  return moments;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void group_norm(__global const float* restrict x,
                                                                            __global const float* restrict scale,
                                                                            __global const float* restrict bias,
                                                                            __global float* restrict y, long channels, long plane) {
  __local double2 parts[ITEMS];
  __local float applied[3];
  const int item = get_local_id(0);
  const long group = get_group_id(0), size = channels * plane;
  x += group * size;
  y += group * size;
  scale += group % 8 * channels;
  bias += group % 8 * channels;
  const long share = (size + ITEMS * LANES - 1) / (ITEMS * LANES) * LANES;
  const long begin = min(item * share, size), end = min(begin + share, size);
  parts[item] = part_moments(x, begin, end, x[0]);
  barrier(CLK_LOCAL_MEM_FENCE);

  if (item == 0) {
    double2 moments = 0;
    for (int i = 0; i < ITEMS; ++i) moments += parts[i];
    moments /= (double)size;
    // Never negative: the first distance is 0, so it is at least moments.y / size, far above its rounding.
    const double variance = moments.y - moments.x * moments.x;
    const double mean = x[0] + moments.x;
    applied[0] = (float)mean;
    applied[1] = (float)(mean - applied[0]);
    applied[2] = (float)(1 / sqrt(variance + 1e-5));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float high = applied[0], low = applied[1], factor = applied[2];

  long i = begin;
  for (long channel = begin / plane; i < end; ++channel) {
    const float multiplier = scale[channel], shift = bias[channel];
    const long stop = min((channel + 1) * plane, end);
    for (; i + LANES <= stop; i += LANES)
      vstore16(((vload16(0, x + i) - high) - low) * factor * multiplier + shift, 0, y + i);
    for (; i < stop; ++i) y[i] = ((x[i] - high) - low) * factor * multiplier + shift;
  }
}
