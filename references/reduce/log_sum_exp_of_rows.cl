// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel log_sum_exp  global [32 * N]  local [32]  (x, y, C)
*/
// A work-group has a row, a work-item a piece of it. The maximum is found first, so that no exponential overflows. The comparisons leave a
// NaN out; the sum has it. An infinite maximum is not subtracted, as infinity minus infinity is no number.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 32
#define LANES 16

float largest_lane(float16 v) {
  const float8 a = v.lo > v.hi ? v.lo : v.hi;
  const float4 b = a.lo > a.hi ? a.lo : a.hi;
  const float2 c = b.lo > b.hi ? b.lo : b.hi;
  return c.x > c.y ? c.x : c.y;
}

double sum_lanes(double16 v) {
  const double8 a = v.lo + v.hi;
  const double4 b = a.lo + a.hi;
  const double2 c = b.lo + b.hi;
  return c.x + c.y;
}

float largest_of(__global const float* x, long begin, long end) {
  float16 tops = -INFINITY;
  long c = begin;
  for (; c + LANES <= end; c += LANES) {
    const float16 value = vload16(0, x + c);
    tops = value > tops ? value : tops;
  }
  float top = largest_lane(tops);
  for (; c < end; ++c) top = x[c] > top ? x[c] : top;
  return top;
}

double sum_of_exponentials(__global const float* x, long begin, long end, float origin) {
  double16 sums = 0;
  long c = begin;
  for (; c + LANES <= end; c += LANES) sums += convert_double16(exp(vload16(0, x + c) - origin));
  double sum = sum_lanes(sums);
  for (; c < end; ++c) sum += exp(x[c] - origin);
  return sum;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void log_sum_exp(__global const float* restrict x, __global float* restrict y,
                                                                             long C) {
  __local float tops[ITEMS];
  __local double sums[ITEMS];
  const int item = get_local_id(0);
  x += get_group_id(0) * C;
  const long share = (C + ITEMS * LANES - 1) / (ITEMS * LANES) * LANES;
  const long begin = min(item * share, C), end = min(begin + share, C);
  tops[item] = largest_of(x, begin, end);
  barrier(CLK_LOCAL_MEM_FENCE);
  float origin = tops[0];
  for (int i = 1; i < ITEMS; ++i) origin = tops[i] > origin ? tops[i] : origin;
  if (isinf(origin)) origin = 0;
  sums[item] = sum_of_exponentials(x, begin, end, origin);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item > 0) return;
  double sum = 0;
  for (int i = 0; i < ITEMS; ++i) sum += sums[i];
  y[get_group_id(0)] = (float)(origin + log(sum));
}
