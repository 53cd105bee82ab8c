// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch padded : float[N * C * (round_up(OL, 16) + 2)]
   kernel pad       global [round_up(OL + 18, 64), N * C]  local [64, 1]
                    (x, padded, L, long(round_up(OL, 16) + 2))
   kernel convolve  global [round_up(div_up(OL, 16), 8), round_up(div_up(O, 8), 4), N]  local [8, 4, 1]
                    (padded, w, y, C, O, OL, long(round_up(OL, 16) + 2))
*/
// y[o][t] = sum over c and k of w[c][o][k] x[c][t - k]: a convolution of the input with zeros at both
// ends, which are copied round it first. A work-item keeps a tile of 8 output channels by 16 positions in
// registers through the whole sum over c and k.

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void pad(__global const float* restrict x,
                                                                  __global float* restrict padded, long L,
                                                                  long length) {
  long i = get_global_id(0), row = get_global_id(1);
  if (i >= length) return;
  padded[row * length + i] = i >= 2 && i < L + 2 ? x[row * L + i - 2] : 0.0f;
}

void store(float16 v, long count, __global float* to) {
  if (count == 16) {
    vstore16(v, 0, to);
    return;
  }
  float numbers[16];
  vstore16(v, 0, numbers);
  for (long i = 0; i < count; ++i) to[i] = numbers[i];
}

__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void convolve(__global const float* restrict padded,
                                                                      __global const float* restrict w,
                                                                      __global float* restrict y, long C,
                                                                      long O, long OL, long length) {
  long t = (long)get_global_id(0) * 16, o = (long)get_global_id(1) * 8, n = get_global_id(2);
  if (t >= OL || o >= O) return;
  long count = min(16L, OL - t);
  __global const float* in = padded + n * C * length + t;
  __global float* out = y + n * O * OL + t;
  if (o + 8 <= O) {
    float16 sum[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) sum[r] = 0.0f;
    __global const float* from = w + o * 3;
    for (long c = 0; c < C; ++c, in += length, from += O * 3) {
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        float16 v = vload16(0, in + 2 - k);
#pragma unroll
        for (int r = 0; r < 8; ++r) sum[r] = fma((float16)(from[r * 3 + k]), v, sum[r]);
      }
    }
#pragma unroll
    for (int r = 0; r < 8; ++r) store(sum[r], count, out + (o + r) * OL);
  } else {
    for (; o < O; ++o) {
      float16 sum = 0.0f;
      for (long c = 0; c < C; ++c)
        for (int k = 0; k < 3; ++k)
          sum = fma((float16)(w[(c * O + o) * 3 + k]), vload16(0, in + c * length + 2 - k), sum);
      store(sum, count, out + o * OL);
    }
  }
}
