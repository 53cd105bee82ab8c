// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax  global [4, round_up(N, 16)]  local [4, 16]  (x, y, N, C, local float[128])
*/
// Four work-items have a quarter of a row each, sixteen numbers at a time, and a work-group has 16 rows. Three
// passes: maximum, exponentials and their sum, scaling; in the last each work-item meets only what it wrote itself.
// Behind a row's end stands -infinity, which changes neither maximum nor sum.

float16 load(__global const float* row, long c, long length) {
  if (c + 16 <= length) return vload16(0, row + c);
  float v[16];
  for (int i = 0; i < 16; ++i) v[i] = c + i < length ? row[c + i] : -INFINITY;
  return vload16(0, v);
}

void store(float16 from, __global float* row, long c, long length) {
  if (c + 16 <= length) {
    vstore16(from, 0, row + c);
    return;
  }
  float v[16];
  vstore16(from, 0, v);
  for (int i = 0; c + i < length; ++i) row[c + i] = v[i];
}

float highest_of_four(float4 v) {
  float2 a = v.lo > v.hi ? v.lo : v.hi;
  return a.x > a.y ? a.x : a.y;
}

float highest_of(float16 v) {
  float8 a = v.lo > v.hi ? v.lo : v.hi;
  return highest_of_four(a.lo > a.hi ? a.lo : a.hi);
}

float sum_of_four(float4 v) {
  float2 a = v.lo + v.hi;
  return a.x + a.y;
}

float sum_of(float16 v) {
  float8 a = v.lo + v.hi;
  return sum_of_four(a.lo + a.hi);
}

__kernel __attribute__((reqd_work_group_size(4, 16, 1))) void softmax(__global const float* restrict x,
                                                                     __global float* restrict y, long N, long C,
                                                                     __local float* partial) {
  long n = get_global_id(1), lane = get_local_id(0);
  long length = n < N ? C : 0;  // work-items without a row still come to the barriers
  __global const float* in = x + n * C;
  __global float* out = y + n * C;
  long share = (length + 63) / 64 * 16, first = lane * share, last = min(first + share, length);
  __local float* tops = partial + get_local_id(1) * 8;
  __local float* sums = tops + 4;

  float16 top16 = -INFINITY;
  for (long c = first; c < last; c += 16) {
    float16 v = load(in, c, length);
    top16 = v > top16 ? v : top16;
  }
  tops[lane] = highest_of(top16);
  barrier(CLK_LOCAL_MEM_FENCE);
  float top = highest_of_four(vload4(0, tops));

  float16 sum16 = 0.0f;
  for (long c = first; c < last; c += 16) {
    float16 e = exp(load(in, c, length) - top);
    store(e, out, c, length);
    sum16 += e;
  }
  sums[lane] = sum_of(sum16);
  barrier(CLK_LOCAL_MEM_FENCE);
  float scale = 1.0f / sum_of_four(vload4(0, sums));

  for (long c = first; c < last; c += 16) store(load(out, c, length) * scale, out, c, length);
}
