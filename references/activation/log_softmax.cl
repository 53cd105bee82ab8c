// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel log_softmax  global [64 * N]  local [64]  (x, y, C)
*/
// A work-group has a row. Where fmax leaves a NaN out, the sum has it.
#define ITEMS 64

__kernel void log_softmax(__global const float* restrict x, __global float* restrict y, long C) {
  __local float part[ITEMS];
  const int item = get_local_id(0);
  x += get_group_id(0) * C;
  y += get_group_id(0) * C;

  float top = -INFINITY;
  for (long c = item; c < C; c += ITEMS) top = fmax(top, x[c]);
  part[item] = top;
  for (int width = ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] = fmax(part[item], part[item + width]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  top = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sum = 0;
  for (long c = item; c < C; c += ITEMS) sum += exp(x[c] - top);
  part[item] = sum;
  for (int width = ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] += part[item + width];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float logarithm = log(part[0]);
  for (long c = item; c < C; c += ITEMS) y[c] = x[c] - top - logarithm;
}
