// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch image  : float[N * C * (H + 4) * max(W + 4, round_up(OW, 8) * 4 + 7)]
   scratch packed : float[div_up(O, 16) * C * 121 * 16]
   kernel pad_image     global [round_up(max(W + 4, round_up(OW, 8) * 4 + 7), 64), H + 4, N * C]
                        local [64, 1, 1]
                        (x, image, H, W, long(max(W + 4, round_up(OW, 8) * 4 + 7)))
   kernel pack_weights  global [round_up(C * 121, 64), div_up(O, 16)]  local [64, 1]
                        (w, packed, O, long(C * 121))
   kernel convolve      global [round_up(div_up(OW, 8), 4), round_up(div_up(O, 16), 2), round_up(N * OH, 4)]
                        local [4, 2, 4]
                        (image, packed, b, y, N, C, long(H + 4),
                         long(max(W + 4, round_up(OW, 8) * 4 + 7)), O, OH, OW)
*/
// Direct convolution. A vector's lanes are output channels (the weights are repacked so), because with
// stride 4 neighbouring output columns are no contiguous input. A work-item keeps 8 columns by 16 channels
// in registers through the whole window. A zero-padded copy of the image saves all tests for its border.

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void pad_image(__global const float* restrict x,
                                                                        __global float* restrict image,
                                                                        long H, long W, long columns) {
  long column = get_global_id(0), row = get_global_id(1), plane = get_global_id(2);
  if (column >= columns) return;
  long h = row - 2, i = column - 2;
  bool inside = h >= 0 && h < H && i >= 0 && i < W;
  image[(plane * (H + 4) + row) * columns + column] = inside ? x[(plane * H + h) * W + i] : 0.0f;
}

// [O][taps] -> [O / 16][taps][16], zeros in place of channels beyond O
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void pack_weights(__global const float* restrict w,
                                                                           __global float* restrict packed,
                                                                           long O, long taps) {
  long tap = get_global_id(0), group = get_global_id(1);
  if (tap >= taps) return;
  __global float* to = packed + (group * taps + tap) * 16;
  for (int i = 0; i < 16; ++i) to[i] = group * 16 + i < O ? w[(group * 16 + i) * taps + tap] : 0.0f;
}

__kernel __attribute__((reqd_work_group_size(4, 2, 4))) void convolve(__global const float* restrict image,
                                                                      __global const float* restrict packed,
                                                                      __global const float* restrict b,
                                                                      __global float* restrict y, long N,
                                                                      long C, long rows, long columns, long O,
                                                                      long OH, long OW) {
  long ow = (long)get_global_id(0) * 8, o = (long)get_global_id(1) * 16, row = get_global_id(2);
  if (ow >= OW || o >= O || row >= N * OH) return;
  long n = row / OH, oh = row % OH;
  __global const float* w = packed + o * C * 121;
  float16 sum[8];
#pragma unroll
  for (int p = 0; p < 8; ++p) sum[p] = 0.0f;
  for (long c = 0; c < C; ++c) {
    for (long kh = 0; kh < 11; ++kh) {
      __global const float* in = image + ((n * C + c) * rows + oh * 4 + kh) * columns + ow * 4;
      for (int kw = 0; kw < 11; ++kw, w += 16) {
        float16 v = vload16(0, w);
#pragma unroll
        for (int p = 0; p < 8; ++p) sum[p] = fma((float16)(in[p * 4 + kw]), v, sum[p]);
      }
    }
  }
  float out[8][16];
#pragma unroll
  for (int p = 0; p < 8; ++p) vstore16(sum[p], 0, out[p]);
  long channels = min(16L, O - o), pixels = min(8L, OW - ow);
  for (long i = 0; i < channels; ++i)
    for (long p = 0; p < pixels; ++p) y[((n * O + o + i) * OH + oh) * OW + ow + p] = out[p][i] + b[o + i];
}
