// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax  global [16, round_up(N, 4)]  local [16, 4]  (x, y, N, C, local float[128])
*/
// Sixteen work-items share a row, sixteen numbers at a time, and a work-group has four rows. Three passes:
// maximum, exponentials and their sum, scaling; in the last each work-item meets only what it wrote itself.

float highest_of(float16 v) {
  float8 a = v.lo > v.hi ? v.lo : v.hi;
  float4 b = a.lo > a.hi ? a.lo : a.hi;
  float2 c = b.lo > b.hi ? b.lo : b.hi;
  return c.x > c.y ? c.x : c.y;
}

float sum_of(float16 v) {
  float8 a = v.lo + v.hi;
  float4 b = a.lo + a.hi;
  float2 c = b.lo + b.hi;
  return c.x + c.y;
}

__kernel __attribute__((reqd_work_group_size(16, 4, 1))) void softmax(__global const float* restrict x,
                                                                      __global float* restrict y, long N, long C,
                                                                      __local float* partial) {
  long n = get_global_id(1), lane = get_local_id(0);
  long length = n < N ? C : 0;  // work-items without a row still come to the barriers
  long whole = length / 16 * 16, rest = whole + lane;
  __global const float* in = x + n * C;
  __global float* out = y + n * C;
  __local float* tops = partial + get_local_id(1) * 32;
  __local float* sums = tops + 16;

  float16 tops16 = -INFINITY;
  for (long c = lane * 16; c < whole; c += 256) {
    float16 v = vload16(0, in + c);
    tops16 = v > tops16 ? v : tops16;
  }
  float top = highest_of(tops16);
  if (rest < length && in[rest] > top) top = in[rest];
  tops[lane] = top;
  barrier(CLK_LOCAL_MEM_FENCE);
  top = highest_of(vload16(0, tops));

  float16 sum16 = 0.0f;
  for (long c = lane * 16; c < whole; c += 256) {
    float16 e = exp(vload16(0, in + c) - top);
    vstore16(e, 0, out + c);
    sum16 += e;
  }
  float sum = sum_of(sum16);
  if (rest < length) {
    float e = exp(in[rest] - top);
    out[rest] = e;
    sum += e;
  }
  sums[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  float scale = 1.0f / sum_of(vload16(0, sums));

  for (long c = lane * 16; c < whole; c += 256) vstore16(vload16(0, out + c) * scale, 0, out + c);
  if (rest < length) out[rest] *= scale;
}
