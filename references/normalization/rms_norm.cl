// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise  global [round_up(div_up(H * W, 16), 32), N]  local [32, 1]  (x, y, C, long(H * W))
*/
// A work-item takes sixteen neighbouring positions through all channels twice, first to gather the squares, in double,
// where none overflows, then to divide. The barrier after every channel keeps a work-group's 512 positions in the same
// channel, so memory is read in the order in which it lies; the second reading comes from a cache.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define POSITIONS 16

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void normalise(__global const float* restrict x,
                                                                        __global float* restrict y, long C,
                                                                        long size) {
  const long position = (long)get_global_id(0) * POSITIONS;
  const int width = (int)clamp(size - position, 0L, (long)POSITIONS);
  x += get_group_id(1) * C * size + position;
  y += get_group_id(1) * C * size + position;

  double8 left = 0, right = 0;
  for (long c = 0; c < C; ++c) {
    float16 value = 0;
    if (width == POSITIONS) {
      value = vload16(0, x + c * size);
    } else if (width > 0) {
      float lanes[POSITIONS] = {0};
      for (int i = 0; i < width; ++i) lanes[i] = x[c * size + i];
      value = vload16(0, lanes);
    }
    const double8 a = convert_double8(value.lo), b = convert_double8(value.hi);
    left += a * a;
    right += b * b;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float16 factor = (float16)(convert_float8(1 / sqrt(left / C + 1e-5)), convert_float8(1 / sqrt(right / C + 1e-5)));
  for (long c = 0; c < C; ++c) {
    if (width == POSITIONS) {
      vstore16(vload16(0, x + c * size) * factor, 0, y + c * size);
    } else if (width > 0) {
      float lanes[POSITIONS];
      vstore16(factor, 0, lanes);
      for (int i = 0; i < width; ++i) y[c * size + i] = x[c * size + i] * lanes[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
