// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax  global [8, round_up(N, 8)]  local [8, 8]  (x, y, N, C, local float[128])
*/
// Eight work-items have an eighth of a row each, sixteen numbers at a time, and a work-group has eight rows. Three
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

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void softmax(__global const float* restrict x,
                                                                     __global float* restrict y, long N, long C,
                                                                     __local float* partial) {
  long n = get_global_id(1), lane = get_local_id(0);
  long length = n < N ? C : 0;  // work-items without a row still come to the barriers
  __global const float* in = x + n * C;
  __global float* out = y + n * C;
  long share = (length + 127) / 128 * 16, first = lane * share, last = min(first + share, length);
  __local float* tops = partial + get_local_id(1) * 16;
  __local float* sums = tops + 8;

  float16 top16 = -INFINITY;
  for (long c = first; c < last; c += 16) {
    float16 v = load(in, c, length);
    top16 = v > top16 ? v : top16;
  }
  float8 top8 = fmax(top16.lo, top16.hi);
  float4 top4 = fmax(top8.lo, top8.hi);
  float2 top2 = fmax(top4.lo, top4.hi);
  tops[lane] = fmax(top2.x, top2.y);
  barrier(CLK_LOCAL_MEM_FENCE);
  top8 = vload8(0, tops);
  top4 = fmax(top8.lo, top8.hi);
  top2 = fmax(top4.lo, top4.hi);
  float top = fmax(top2.x, top2.y);

  float16 sum16 = 0.0f;
  for (long c = first; c < last; c += 16) {
    float16 e = exp(load(in, c, length) - top);
    store(e, out, c, length);
    sum16 += e;
  }
  float8 sum8 = sum16.lo + sum16.hi;
  float4 sum4 = sum8.lo + sum8.hi;
  float2 sum2 = sum4.lo + sum4.hi;
  sums[lane] = sum2.x + sum2.y;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum8 = vload8(0, sums);
  sum4 = sum8.lo + sum8.hi;
  sum2 = sum4.lo + sum4.hi;
  float scale = 1.0f / (sum2.x + sum2.y);

  for (long c = first; c < last; c += 16) store(load(out, c, length) * scale, out, c, length);
}
