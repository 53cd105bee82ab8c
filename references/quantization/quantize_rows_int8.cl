// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel quantize  global [64 * N]  local [64]  (x, q, largest, C)
*/
// A work-group has a row, which it reads twice, sixteen numbers at a time; what is left of the row comes one by one.
#pragma OPENCL FP_CONTRACT OFF
#define ITEMS 64
#define WIDTH 16

// Magnitudes are compared by their bits, where NaN is the largest.
int bits_of(float v) { return as_int(v) & 0x7fffffff; }

int largest_of(int16 v) {
  const int8 a = max(v.lo, v.hi);
  const int4 b = max(a.lo, a.hi);
  const int2 c = max(b.lo, b.hi);
  return max(c.x, c.y);
}

// 1.5 * 2^23 added, a number is rounded to an integer, ties to even, whose low bits end those of the sum.
char16 codes_of(float16 v, float largest) {
  const float16 scaled = v / largest * 127.0f;
  return convert_char16(as_int16(scaled + 0x1.8p23f));
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void quantize(__global const float* restrict x, __global char* restrict q,
                                                                          __global half* restrict largest, long C) {
  __local int part[ITEMS];
  const int item = get_local_id(0);
  const long row = get_group_id(0), whole = C / WIDTH * WIDTH;
  x += row * C;
  q += row * C;

  int16 bits16 = as_int(0x1p-20f);
  for (long c = item * WIDTH; c < whole; c += ITEMS * WIDTH) bits16 = max(bits16, as_int16(vload16(0, x + c)) & 0x7fffffff);
  int bits = largest_of(bits16);
  for (long c = whole + item; c < C; c += ITEMS) bits = max(bits, bits_of(x[c]));
  part[item] = bits;
  barrier(CLK_LOCAL_MEM_FENCE);
  const float most = as_float(largest_of(max(max(vload16(0, part), vload16(1, part)), max(vload16(2, part), vload16(3, part)))));
  if (item == 0) vstore_half_rte(most, row, largest);

  for (long c = item * WIDTH; c < whole; c += ITEMS * WIDTH) vstore16(codes_of(vload16(0, x + c), most), 0, q + c);
  for (long c = whole + item; c < C; c += ITEMS) q[c] = codes_of(x[c], most).s0;
}
