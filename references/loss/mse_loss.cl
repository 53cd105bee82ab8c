// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch parts: float[div_up(N * C, 16384)]
   kernel sum_squares  global [256 * div_up(N * C, 16384)]  local [256]  (x, t, parts, long(N * C))
   kernel finish       global [256]  local [256]  (parts, y, long(div_up(N * C, 16384)), long(N * C))
*/
// A work-group sums a stretch of both tensors, a second kernel the work-groups' sums.
#define ITEMS 256
#define STRETCH 16384

float sum_of_group(float value, __local float* part) {
  const int item = get_local_id(0);
  part[item] = value;
  for (int width = ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] += part[item + width];
  }
  return part[0];
}

__kernel void sum_squares(__global const float* restrict x, __global const float* restrict t,
                          __global float* restrict parts, long count) {
  __local float part[ITEMS];
  const long begin = get_group_id(0) * STRETCH, end = min(begin + STRETCH, count);
  float sum = 0;
  for (long i = begin + get_local_id(0); i < end; i += ITEMS) {
    const float difference = x[i] - t[i];
    sum += difference * difference;
  }
  sum = sum_of_group(sum, part);
  if (get_local_id(0) == 0) parts[get_group_id(0)] = sum;
}

__kernel void finish(__global const float* restrict parts, __global float* restrict y, long groups, long count) {
  __local float part[ITEMS];
  float sum = 0;
  for (long i = get_local_id(0); i < groups; i += ITEMS) sum += parts[i];
  sum = sum_of_group(sum, part);
  if (get_local_id(0) == 0) *y = sum / count;
}
