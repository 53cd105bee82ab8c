// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch joined : float[div_up(B, 16) * 2 * H * 16]
   scratch state  : float[div_up(B, 16) * H * 16]
   kernel join_strips  global [round_up(2 * H, 64), div_up(B, 16)]  local [64, 1]  (x, hidden, joined, B, H)
   kernel next_state   global [round_up(div_up(B, 16), 4), round_up(div_up(H, 8), 8)]  local [4, 8]
                       (joined, w_hidden, b_hidden, state, new_hidden, B, H)
   kernel output       global [round_up(div_up(B, 16), 4), round_up(div_up(O, 8), 8)]  local [4, 8]
                       (state, w_out, b_out, y, B, H, O)
*/
// Samples go in strips of 16, transposed: a vector holds one feature of all of a strip, so joining x and
// hidden is putting the features of one behind those of the other, and weights are read where they lie. A
// work-item keeps a tile of 16 samples by 8 features in registers through a whole layer's sum.

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void join_strips(
    __global const float* restrict x, __global const float* restrict hidden, __global float* restrict joined,
    long B, long H) {
  long i = get_global_id(0), strip = get_global_id(1);
  if (i >= 2 * H) return;
  __global const float* from = i < H ? x + i : hidden + (i - H);
  __global float* to = joined + (strip * 2 * H + i) * 16;
  for (int s = 0; s < 16; ++s) to[s] = strip * 16 + s < B ? from[(strip * 16 + s) * H] : 0.0f;
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

// One feature of a strip's samples, `features` apart.
void store_column(float16 from, __global float* to, long features, long samples) {
  float column[16];
  vstore16(from, 0, column);
  for (int s = 0; s < samples; ++s) to[s * features] = column[s];
}

__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void next_state(
    __global const float* restrict joined, __global const float* restrict w, __global const float* restrict b,
    __global float* restrict state, __global float* restrict new_hidden, long B, long H) {
  long strip = get_global_id(0), first = (long)get_global_id(1) * 8;
  if (strip * 16 >= B || first >= H) return;
  long count = min(8L, H - first), samples = min(16L, B - strip * 16);
  float16 sum[8];
  linear(joined + strip * 16 * 2 * H, w, b, 2 * H, first, count, sum);
  for (int r = 0; r < count; ++r) {
    float16 squashed = tanh(sum[r]);
    vstore16(squashed, 0, state + (strip * H + first + r) * 16);
    store_column(squashed, new_hidden + strip * 16 * H + first + r, H, samples);
  }
}

__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void output(__global const float* restrict state,
                                                                    __global const float* restrict w,
                                                                    __global const float* restrict b,
                                                                    __global float* restrict y, long B,
                                                                    long H, long O) {
  long strip = get_global_id(0), first = (long)get_global_id(1) * 8;
  if (strip * 16 >= B || first >= O) return;
  long count = min(8L, O - first), samples = min(16L, B - strip * 16);
  float16 sum[8];
  linear(state + strip * 16 * H, w, b, H, first, count, sum);
  for (int r = 0; r < count; ++r) store_column(sum[r], y + strip * 16 * O + first + r, O, samples);
}
