// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve  global [round_up(div_up(OW, 16), 8), round_up(div_up(OH, 2), 8), N * 64]  local [8, 8, 1]
                    (x, w, y, H, W, OH, OW)
*/
// A work-item computes 16 columns by two rows: each input row is loaded once and added to the output rows
// that it takes part in. The last tile of a row begins 16 columns before its end, overlaps its neighbour
// and stores only what that one does not.

// The last `count` of 16 numbers, which end before `end`.
void store_last(float16 v, long count, __global float* end) {
  if (count & 16) {
    vstore16(v, 0, end - 16);
    return;
  }
  float8 a = v.hi;
  if (count & 8) {
    end -= 8;
    vstore8(a, 0, end);
    a = v.lo;
  }
  float4 b = a.hi;
  if (count & 4) {
    end -= 4;
    vstore4(b, 0, end);
    b = a.lo;
  }
  float2 c = b.hi;
  if (count & 2) {
    end -= 2;
    vstore2(c, 0, end);
    c = b.lo;
  }
  if (count & 1) end[-1] = c.y;
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void convolve(__global const float* restrict x,
                                                                      __global const float* restrict w,
                                                                      __global float* restrict y, long H,
                                                                      long W, long OH, long OW) {
  long column = (long)get_global_id(0) * 16, first = (long)get_global_id(1) * 2, plane = get_global_id(2);
  if (column >= OW || first >= OH) return;
  long rows = min(2L, OH - first), count = min(16L, OW - column);
  float k[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) k[i] = w[plane % 64 * 9 + i];
  __global const float* in = x + (plane * H + first) * W;
  __global float* out = y + (plane * OH + first) * OW;
  if (OW < 16) {
    for (long oh = 0; oh < rows; ++oh, in += W, out += OW)
      for (long i = 0; i < OW; ++i) {
        float sum = 0.0f;
        for (int kh = 0; kh < 3; ++kh)
          for (int kw = 0; kw < 3; ++kw) sum = fma(k[kh * 3 + kw], in[kh * W + i + kw], sum);
        out[i] = sum;
      }
    return;
  }
  in += column + count - 16;
  out += column + count;
  float16 one_row = 0.0f, two_rows = 0.0f;  // sums of outputs that have seen one input row, and two
  for (long h = 0; h < rows + 2; ++h, in += W) {
    float16 a = vload16(0, in), b = vload16(0, in + 1), c = vload16(0, in + 2);
    float16 whole = fma((float16)(k[6]), a, fma((float16)(k[7]), b, fma((float16)(k[8]), c, two_rows)));
    two_rows = fma((float16)(k[3]), a, fma((float16)(k[4]), b, fma((float16)(k[5]), c, one_row)));
    one_row = fma((float16)(k[0]), a, fma((float16)(k[1]), b, k[2] * c));
    if (h >= 2) store_last(whole, count, out + (h - 2) * OW);
  }
}
