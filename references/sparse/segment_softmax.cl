// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax  global [32 * (P - 1) * H]  local [32]  (x, offsets, y, T, P)
*/
// A work-group has a sequence of a head, sixteen numbers at a time. The last vector is filled up with -infinity, which changes neither
// maximum nor sum. Where fmax leaves a NaN out, the sum has it.
#define ITEMS 32
#define WIDTH 16

float largest_of(float16 v) {
  const float8 a = fmax(v.lo, v.hi);
  const float4 b = fmax(a.lo, a.hi);
  const float2 c = fmax(b.lo, b.hi);
  return fmax(c.x, c.y);
}

float sum_of(float16 v) {
  const float8 a = v.lo + v.hi;
  const float4 b = a.lo + a.hi;
  const float2 c = b.lo + b.hi;
  return c.x + c.y;
}

float16 load(__global const float* from, long count) {
  if (count >= WIDTH) return vload16(0, from);
  float lanes[WIDTH];
  for (int i = 0; i < WIDTH; ++i) lanes[i] = i < count ? from[i] : -INFINITY;
  return vload16(0, lanes);
}

void store(float16 v, __global float* to, long count) {
  if (count >= WIDTH) {
    vstore16(v, 0, to);
    return;
  }
  float lanes[WIDTH];
  vstore16(v, 0, lanes);
  for (int i = 0; i < count; ++i) to[i] = lanes[i];
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void softmax(__global const float* restrict x,
                                                                         __global const long* restrict offsets, __global float* y,
                                                                         long T, long P) {
  __local float tops[ITEMS], sums[ITEMS];
  const int item = get_local_id(0);
  const long head = (long)get_group_id(0) / (P - 1), sequence = (long)get_group_id(0) % (P - 1);
  const long begin = offsets[sequence], length = offsets[sequence + 1] - begin;
  x += head * T + begin;
  y += head * T + begin;

  float16 top16 = -INFINITY;
  for (long t = item * WIDTH; t < length; t += ITEMS * WIDTH) top16 = fmax(top16, load(x + t, length - t));
  tops[item] = largest_of(top16);
  barrier(CLK_LOCAL_MEM_FENCE);
  const float top = largest_of(fmax(vload16(0, tops), vload16(1, tops)));

  float16 sum16 = 0;
  for (long t = item * WIDTH; t < length; t += ITEMS * WIDTH) {
    const float16 power = exp(load(x + t, length - t) - top);
    store(power, y + t, length - t);
    sum16 += power;
  }
  sums[item] = sum_of(sum16);
  barrier(CLK_LOCAL_MEM_FENCE);
  const float sum = sum_of(vload16(0, sums) + vload16(1, sums));

  for (long t = item * WIDTH; t < length; t += ITEMS * WIDTH) store(load(y + t, length - t) / sum, y + t, length - t);
}
