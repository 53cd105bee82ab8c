// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply  global [16 * div_up(M, 4)]  local [16]  (a, b, y, M, K)
*/
// A work-group has four rows, which share what is read of b. A work-item has every sixteenth vector of sixteen columns, and one number of
// the columns that fill no vector. Rows past the end repeat the last one and are dropped.
#define ITEMS 16
#define ROWS 4

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void multiply(__global const float* restrict a,
                                                                          __global const float* restrict b,
                                                                          __global float* restrict y, long M, long K) {
  __local float16 part[ROWS][ITEMS];
  const int item = get_local_id(0);
  const long row = (long)get_group_id(0) * ROWS, whole = K / 16 * 16;
  __global const float* a0 = a + row * K;
  __global const float* a1 = a + min(row + 1, M - 1) * K;
  __global const float* a2 = a + min(row + 2, M - 1) * K;
  __global const float* a3 = a + min(row + 3, M - 1) * K;
  float16 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (long k = (long)item * 16; k < whole; k += ITEMS * 16) {
    const float16 v = vload16(0, b + k);
    s0 += vload16(0, a0 + k) * v;
    s1 += vload16(0, a1 + k) * v;
    s2 += vload16(0, a2 + k) * v;
    s3 += vload16(0, a3 + k) * v;
  }
  if (whole + item < K) {
    const long k = whole + item;
    s0.s0 += a0[k] * b[k];
    s1.s0 += a1[k] * b[k];
    s2.s0 += a2[k] * b[k];
    s3.s0 += a3[k] * b[k];
  }
  part[0][item] = s0;
  part[1][item] = s1;
  part[2][item] = s2;
  part[3][item] = s3;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < ROWS && row + item < M) {
    float16 sum = 0;
    for (int i = 0; i < ITEMS; ++i) sum += part[item][i];
    const float8 eight = sum.lo + sum.hi;
    const float4 four = eight.lo + eight.hi;
    y[row + item] = (four.x + four.y) + (four.z + four.w);
  }
}
