// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise  global [round_up(div_up(H * W, 16), 32), N]  local [32, 1]  (x, y, C, long(H * W))
*/
// A work-item takes sixteen neighbouring positions through all channels twice, first to gather the squares,
// in double, where none overflows, then to divide. The barrier after every channel keeps a work-group's 512
// positions in the same channel, so memory is read in the order in which it lies; the second reading comes
// from a cache. Work-items at the end of a plane and behind it move back to have sixteen positions, too, and
// store those that are their own.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define POSITIONS 16

float16 load_positions(__global const float* plane, long size) {
  if (size >= POSITIONS) return vload16(0, plane);
  float lanes[POSITIONS];
  for (int i = 0; i < POSITIONS; ++i) lanes[i] = plane[min((long)i, size - 1)];
  return vload16(0, lanes);
}

void store_positions(float16 v, __global float* plane, long first, long position, long size) {
  if (first == position && size >= POSITIONS) {
    vstore16(v, 0, plane + position);
    return;
  }
  float lanes[POSITIONS];
  vstore16(v, 0, lanes);
  for (long i = position; i < min(first + POSITIONS, size); ++i) plane[i] = lanes[i - first];
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void normalise(__global const float* restrict x,
                                                                        __global float* restrict y, long C,
                                                                        long size) {
  const long position = (long)get_global_id(0) * POSITIONS;
  const long first = max(min(position, size - POSITIONS), 0L);
  x += get_group_id(1) * C * size;
  y += get_group_id(1) * C * size;

  double8 left = 0, right = 0;
  for (long c = 0; c < C; ++c) {
    const float16 value = load_positions(x + c * size + first, size);
    const double8 a = convert_double8(value.lo), b = convert_double8(value.hi);
    left += a * a;
    right += b * b;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float16 factor = (float16)(convert_float8(1 / sqrt(left / (double)C + 1e-5)),
                                   convert_float8(1 / sqrt(right / (double)C + 1e-5)));
  for (long c = 0; c < C; ++c) {
    const float16 value = load_positions(x + c * size + first, size);
    store_positions(value * factor, y + c * size, first, position, size);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
