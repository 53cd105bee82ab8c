// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch loss: float[N]
   kernel row_losses  global [32 * N]  local [32]  (x, target, loss, C)
   kernel mean        global [256]    local [256]    (loss, y, N)
*/
// A work-group takes a row, each of its work-items a stretch of it and one element of the tail: first the
// row's maximum, then the sum of the exponentials below it; the row stays in cache in between. A second
// kernel averages the losses.
#define ITEMS 32
#define LANES 16
#define MEAN_ITEMS 256

float sum_lanes(float16 v) {
  const float8 a = v.lo + v.hi;
  const float4 b = a.lo + a.hi;
  const float2 c = b.lo + b.hi;
  return c.x + c.y;
}

float max_lanes(float16 v) {
  const float8 a = fmax(v.lo, v.hi);
  const float4 b = fmax(a.lo, a.hi);
  const float2 c = fmax(b.lo, b.hi);
  return fmax(c.x, c.y);
}

// exp(x) for x <= 0: 2^n times the Taylor polynomial of exp(r), |r| <= ln(2)/2. 2^n is two factors, as n may
// lie below the exponents of normal numbers. exp(-104) rounds to 0. A NaN stays one.
float16 exp_nonpositive(float16 x) {
  const float shift = 0x1.8p23f;  // adding it rounds to an integer, which then stands in the lowest bits
  x = select(x, (float16)(-104.0f), x < -104.0f);
  const float16 shifted = x * 0x1.715476p0f + shift;
  const float16 n = shifted - shift;
  const float16 r = x - n * 0x1.62e4p-1f - n * 0x1.7f7d1cp-20f;  // ln(2) in two parts
  float16 p = 1.0f / 5040.0f;
  p = p * r + 1.0f / 720.0f;
  p = p * r + 1.0f / 120.0f;
  p = p * r + 1.0f / 24.0f;
  p = p * r + 1.0f / 6.0f;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const int16 exponent = as_int16(shifted) - as_int(shift);
  const int16 half_exponent = exponent >> 1;
  return p * as_float16((half_exponent + 127) << 23) * as_float16((exponent - half_exponent + 127) << 23);
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void row_losses(
    __global const float* restrict x, __global const long* restrict target, __global float* restrict loss,
    long C) {
  __local float part[ITEMS], row_top;
  const int item = get_local_id(0);
  const long n = get_group_id(0);
  const long whole = C / LANES * LANES;
  const long share = (whole / LANES + ITEMS - 1) / ITEMS * LANES;
  const long begin = item * share, end = min(begin + share, whole);
  const bool has_tail = item < C - whole;  // one element more
  __global const float* row = x + n * C;

  float16 highest = has_tail ? row[whole + item] : -INFINITY;
  for (long c = begin; c < end; c += LANES) {
    const float16 value = vload16(0, row + c);
    highest = select(highest, value, value > highest);
  }
  part[item] = max_lanes(highest);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) row_top = max_lanes(fmax(vload16(0, part), vload16(1, part)));
  barrier(CLK_LOCAL_MEM_FENCE);

  const float top = row_top;
  float16 sum = 0;
  for (long c = begin; c < end; c += LANES) sum += exp_nonpositive(vload16(0, row + c) - top);
  part[item] = sum_lanes(sum) + (has_tail ? exp(row[whole + item] - top) : 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) loss[n] = log(sum_lanes(vload16(0, part) + vload16(1, part))) - (row[target[n]] - top);
}

__kernel __attribute__((reqd_work_group_size(MEAN_ITEMS, 1, 1))) void mean(
    __global const float* restrict loss, __global float* restrict y, long N) {
  __local float part[MEAN_ITEMS];
  const int item = get_local_id(0);
  float sum = 0;
  for (long n = item; n < N; n += MEAN_ITEMS) sum += loss[n];
  part[item] = sum;
  for (int half_width = MEAN_ITEMS / 2; half_width > 0; half_width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_width) part[item] += part[item + half_width];
  }
  if (item == 0) *y = part[0] / N;
}
