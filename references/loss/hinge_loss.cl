// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch row_sums: float[N]
   kernel sum_rows  global [64 * N]  local [64]  (x, t, row_sums, C)
   kernel finish    global [64]      local [64]  (row_sums, y, N, long(N * C))
*/
// A work-group has a row, a second kernel the rows' sums.
#define ITEMS 64

float sum_of_group(float value, __local float* part) {
  const int item = get_local_id(0);
  part[item] = value;
  for (int width = ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] += part[item + width];
  }
  return part[0];
}

__kernel void sum_rows(__global const float* restrict x, __global const float* restrict t,
                       __global float* restrict row_sums, long C) {
  __local float part[ITEMS];
  x += get_group_id(0) * C;
  float sum = 0;
  for (long c = get_local_id(0); c < C; c += ITEMS) {
    const float margin = 1.0f - x[c] * t[c];
    sum += margin < 0 ? 0.0f : margin;  // a NaN stays one
  }
  sum = sum_of_group(sum, part);
  if (get_local_id(0) == 0) row_sums[get_group_id(0)] = sum;
}

__kernel void finish(__global const float* restrict row_sums, __global float* restrict y, long N, long count) {
  __local float part[ITEMS];
  float sum = 0;
  for (long n = get_local_id(0); n < N; n += ITEMS) sum += row_sums[n];
  sum = sum_of_group(sum, part);
  if (get_local_id(0) == 0) *y = sum / count;
}
