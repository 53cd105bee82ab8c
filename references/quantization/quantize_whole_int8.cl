// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch parts: int[div_up(N, 16384)]
   kernel find_largest  global [64 * div_up(N, 16384)]              local [64]   (x, parts, N)
   kernel finish        global [256]                                local [256]  (parts, largest, long(div_up(N, 16384)))
   kernel quantize      global [round_up(div_up(N, 16), 128)]       local [128]  (x, largest, q, N)
*/
// A work-group finds the largest magnitude of a stretch, a second kernel the one of all. A work-item takes sixteen numbers at a time.
#pragma OPENCL FP_CONTRACT OFF
#define ITEMS 64
#define FINISH_ITEMS 256
#define WIDTH 16
#define STRETCH 16384

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

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void find_largest(__global const float* restrict x,
                                                                              __global int* restrict parts, long N) {
  __local int part[ITEMS];
  const int item = get_local_id(0);
  const long begin = get_group_id(0) * (long)STRETCH, end = min(begin + STRETCH, N), whole = end / WIDTH * WIDTH;
  int16 bits16 = as_int(0x1p-64f);
  for (long i = begin + item * WIDTH; i < whole; i += ITEMS * WIDTH) bits16 = max(bits16, as_int16(vload16(0, x + i)) & 0x7fffffff);
  int bits = largest_of(bits16);
  for (long i = whole + item; i < end; i += ITEMS) bits = max(bits, bits_of(x[i]));
  part[item] = bits;
  for (int width = ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] = max(part[item], part[item + width]);
  }
  if (item == 0) parts[get_group_id(0)] = part[0];
}

__kernel __attribute__((reqd_work_group_size(FINISH_ITEMS, 1, 1))) void finish(__global const int* restrict parts,
                                                                               __global float* restrict largest, long count) {
  __local int part[FINISH_ITEMS];
  const int item = get_local_id(0);
  int bits = 0;
  for (long i = item; i < count; i += FINISH_ITEMS) bits = max(bits, parts[i]);
  part[item] = bits;
  for (int width = FINISH_ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] = max(part[item], part[item + width]);
  }
  if (item == 0) *largest = as_float(part[0]);
}

__kernel void quantize(__global const float* restrict x, __global const float* restrict largest, __global char* restrict q, long N) {
  const float most = *largest;
  const long first = (long)get_global_id(0) * WIDTH;
  if (first + WIDTH <= N)
    vstore16(codes_of(vload16(0, x + first), most), 0, q + first);
  else
    for (long i = first; i < N; ++i) q[i] = codes_of(x[i], most).s0;
}
