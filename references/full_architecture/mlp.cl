// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch input   : float[div_up(B, 16) * I * 16]
   scratch hidden1 : float[div_up(B, 16) * H1 * 16]
   scratch hidden2 : float[div_up(B, 16) * H2 * 16]
   kernel to_strips  global [round_up(I, 64), div_up(B, 16)]  local [64, 1]  (x, input, B, I)
   kernel hidden     global [round_up(div_up(B, 16), 4), round_up(div_up(H1, 8), 8)]  local [4, 8]
                     (input, w1, b1, hidden1, B, I, H1)
   kernel hidden     global [round_up(div_up(B, 16), 4), round_up(div_up(H2, 8), 8)]  local [4, 8]
                     (hidden1, w2, b2, hidden2, B, H1, H2)
   kernel output     global [round_up(div_up(B, 16), 4), round_up(div_up(O, 8), 8)]  local [4, 8]
                     (hidden2, w3, b3, y, B, H2, O)
*/
// Samples pass through the layers in strips of 16, transposed: a vector holds one feature of all of a
// strip, and weights are read where they lie, one number for all lanes. A work-item keeps a tile of 16
// samples by 8 features in registers through a whole layer's sum.

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void to_strips(__global const float* restrict x,
                                                                        __global float* restrict strips,
                                                                        long B, long I) {
  long i = get_global_id(0), strip = get_global_id(1);
  if (i >= I) return;
  __global float* to = strips + (strip * I + i) * 16;
  for (int s = 0; s < 16; ++s) to[s] = strip * 16 + s < B ? x[(strip * 16 + s) * I + i] : 0.0f;
}

// sum[r] = bias and weights of feature `first + r` applied to the strip at x, for `count` features.
void linear(__global const float* x, __global const float* w, __global const float* b, long K, long first,
            long count, float16* sum) {
  w += first * K;
  if (count == 8) {
    float16 part[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) part[r] = 0.0f;
    for (long k = 0; k < K; ++k) {
      float16 v = vload16(k, x);
#pragma unroll
      for (int r = 0; r < 8; ++r) part[r] = fma((float16)(w[r * K + k]), v, part[r]);
    }
#pragma unroll
    for (int r = 0; r < 8; ++r) sum[r] = part[r] + b[first + r];
  } else {
    for (int r = 0; r < count; ++r) {
      float16 part = 0.0f;
      for (long k = 0; k < K; ++k) part = fma((float16)(w[r * K + k]), vload16(k, x), part);
      sum[r] = part + b[first + r];
    }
  }
}

__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void hidden(__global const float* restrict x,
                                                                    __global const float* restrict w,
                                                                    __global const float* restrict b,
                                                                    __global float* restrict y, long B,
                                                                    long K, long features) {
  long strip = get_global_id(0), first = (long)get_global_id(1) * 8;
  if (strip * 16 >= B || first >= features) return;
  long count = min(8L, features - first);
  float16 sum[8];
  linear(x + strip * 16 * K, w, b, K, first, count, sum);
  __global float* to = y + (strip * features + first) * 16;
  for (int r = 0; r < count; ++r) vstore16(sum[r] < 0.0f ? (float16)(0.0f) : sum[r], r, to);
}

__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void output(__global const float* restrict x,
                                                                    __global const float* restrict w,
                                                                    __global const float* restrict b,
                                                                    __global float* restrict y, long B,
                                                                    long K, long features) {
  long strip = get_global_id(0), first = (long)get_global_id(1) * 8;
  if (strip * 16 >= B || first >= features) return;
  long count = min(8L, features - first), samples = min(16L, B - strip * 16);
  float16 sum[8];
  linear(x + strip * 16 * K, w, b, K, first, count, sum);
  for (int r = 0; r < count; ++r) {
    float column[16];
    vstore16(sum[r], 0, column);
    for (int s = 0; s < samples; ++s) y[(strip * 16 + s) * features + first + r] = column[s];
  }
}
