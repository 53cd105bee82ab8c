// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch image  : float[N * C * H * (round_up(OW, 16) + 2)]
   scratch packed : float[div_up(O, 8) * C * 9 * 8]
   kernel widen_rows    global [round_up(OW + 18, 64), N * C * H]  local [64, 1]
                        (x, image, W, long(round_up(OW, 16) + 2))
   kernel pack_weights  global [round_up(C * 9, 64), div_up(O, 8)]  local [64, 1]  (w, packed, O, long(C * 9))
   kernel convolve      global [round_up(div_up(OW, 16), 4), round_up(div_up(O, 8), 4), round_up(N * OH, 2)]
                        local [4, 4, 2]
                        (image, packed, b, y, N, C, H, long(round_up(OW, 16) + 2), O, OH, OW)
*/
// Direct convolution. A work-item keeps a tile of 8 output channels by 16 columns in registers through the
// whole window, and bias, division and leaky ReLU are applied before it is stored. Input rows are copied
// with some space behind them, so that the last tile of a row may overhang; weights, so that a tile's
// eight are neighbours.

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void widen_rows(__global const float* restrict x,
                                                                         __global float* restrict image,
                                                                         long W, long columns) {
  long i = get_global_id(0), row = get_global_id(1);
  if (i < columns) image[row * columns + i] = i < W ? x[row * W + i] : 0.0f;
}

// [O][taps] -> [O / 8][taps][8], zeros in place of channels beyond O
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void pack_weights(__global const float* restrict w,
                                                                           __global float* restrict packed,
                                                                           long O, long taps) {
  long tap = get_global_id(0), group = get_global_id(1);
  if (tap >= taps) return;
  __global float* to = packed + (group * taps + tap) * 8;
  for (int i = 0; i < 8; ++i) to[i] = group * 8 + i < O ? w[(group * 8 + i) * taps + tap] : 0.0f;
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

__kernel __attribute__((reqd_work_group_size(4, 4, 2))) void convolve(__global const float* restrict image,
                                                                      __global const float* restrict packed,
                                                                      __global const float* restrict b,
                                                                      __global float* restrict y, long N,
                                                                      long C, long H, long columns, long O,
                                                                      long OH, long OW) {
  long ow = (long)get_global_id(0) * 16, o = (long)get_global_id(1) * 8, row = get_global_id(2);
  if (ow >= OW || o >= O || row >= N * OH) return;
  long n = row / OH, oh = row % OH;
  __global const float* w = packed + o * C * 9;
  float16 sum[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) sum[r] = 0.0f;
  for (long c = 0; c < C; ++c) {
    for (long kh = 0; kh < 3; ++kh) {
      __global const float* in = image + ((n * C + c) * H + oh + kh) * columns + ow;
      for (int kw = 0; kw < 3; ++kw, w += 8) {
        float16 v = vload16(0, in + kw);
#pragma unroll
        for (int r = 0; r < 8; ++r) sum[r] = fma((float16)(w[r]), v, sum[r]);
      }
    }
  }
  long count = min(16L, OW - ow);
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    if (o + r >= O) return;
    float16 half_sum = (sum[r] + b[o + r]) * 0.5f;
    store(half_sum < 0.0f ? 0.01f * half_sum : half_sum, count, y + ((n * O + o + r) * OH + oh) * OW + ow);
  }
}
