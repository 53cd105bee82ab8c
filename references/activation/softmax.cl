// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax  global [4, round_up(N, 16)]  local [4, 16]  (x, y, N, C, local float[128])
*/
// Four work-items have a quarter of a row each, sixteen numbers at a time, and a work-group has 16 rows.
// Three passes: maximum, exponentials and their sum, scaling; in the last each work-item meets only what
// it wrote itself. A row's rest ends a vector that begins with -infinity, which changes neither maximum
// nor sum.

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

// The last `count` < 16 numbers of a row of `length`.
float16 load_last(__global const float* row, long length, int count) {
  if (length >= 16) {
    const int16 lane = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return lane < 16 - count ? (float16)(-INFINITY) : vload16(0, row + length - 16);
  }
  float v[16];
  for (int i = 0; i < 16; ++i) v[i] = i < 16 - count ? -INFINITY : row[length - 16 + i];
  return vload16(0, v);
}

void store_last(float16 v, __global float* end, int count) {
  float8 a = v.hi;
  if (count & 8) {
    end -= 8;
    vstore8(a, 0, end);
    a = v.lo;
  }
  float4 b = a.hi;
  if (count & 4) {
    end -= 4;
    vstore4(b, 0, end);
    b = a.lo;
  }
  float2 c = b.hi;
  if (count & 2) {
    end -= 2;
    vstore2(c, 0, end);
    c = b.lo;
  }
  if (count & 1) end[-1] = c.y;
}

__kernel __attribute__((reqd_work_group_size(4, 16, 1))) void softmax(__global const float* restrict x,
                                                                      __global float* restrict y, long N,
                                                                      long C, __local float* partial) {
  long n = get_global_id(1), lane = get_local_id(0);
  long length = n < N ? C : 0;  // work-items without a row still come to the barriers
  __global const float* in = x + n * C;
  __global float* out = y + n * C;
  long share = (length + 63) / 64 * 16, whole = length / 16 * 16;
  long first = lane * share, last = min(first + share, whole);
  bool has_rest = first <= whole && whole < first + share;
  int rest = has_rest ? length - whole : 0;
  __local float* tops = partial + get_local_id(1) * 8;
  __local float* sums = tops + 4;

  float16 top16 = -INFINITY, ending = -INFINITY;
  if (rest > 0) top16 = ending = load_last(in, length, rest);
  for (long c = first; c < last; c += 16) {
    float16 v = vload16(0, in + c);
    top16 = v > top16 ? v : top16;
  }
  tops[lane] = highest_of(top16);
  barrier(CLK_LOCAL_MEM_FENCE);
  float top = highest_of_four(vload4(0, tops));

  float16 sum16 = 0.0f;
  if (rest > 0) sum16 = ending = exp(ending - top);
  for (long c = first; c < last; c += 16) {
    float16 e = exp(vload16(0, in + c) - top);
    vstore16(e, 0, out + c);
    sum16 += e;
  }
  sums[lane] = sum_of(sum16);
  barrier(CLK_LOCAL_MEM_FENCE);
  float scale = 1.0f / sum_of_four(vload4(0, sums));

  for (long c = first; c < last; c += 16) vstore16(vload16(0, out + c) * scale, 0, out + c);
  if (rest > 0) store_last(ending * scale, out + length, rest);
}
