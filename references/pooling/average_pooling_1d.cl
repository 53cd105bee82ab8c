// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average  global [round_up(div_up(OL, 16), 64), N * C]  local [64, 1]  (x, y, L, OL)
*/
// A work-item computes sixteen neighbouring windows, each summed afresh as a tree of eight: a running sum
// would drag rounding and NaN along the row. Windows that reach into the padding leave out what lies there.
#define OUTPUTS 16
#define WINDOW 8
#define PADDING 4

float cut_window(__global const float* row, long L, long j) {
  float sum = 0;
  for (long i = max(j - PADDING, 0L); i < min(j - PADDING + WINDOW, L); ++i) sum += row[i];
  return sum / WINDOW;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void average(__global const float* restrict x,
                                                                      __global float* restrict y, long L,
                                                                      long OL) {
  const long j = (long)get_global_id(0) * OUTPUTS;
  __global const float* row = x + get_group_id(1) * L;
  __global float* out = y + get_group_id(1) * OL;
  if (j >= PADDING && j + OUTPUTS - PADDING + WINDOW - 1 <= L) {
    __global const float* w = row + j - PADDING;
    const float16 left = (vload16(0, w) + vload16(0, w + 1)) + (vload16(0, w + 2) + vload16(0, w + 3));
    const float16 right = (vload16(0, w + 4) + vload16(0, w + 5)) + (vload16(0, w + 6) + vload16(0, w + 7));
    vstore16((left + right) * (1.0f / WINDOW), 0, out + j);
  } else {
    for (long i = j; i < min(j + OUTPUTS, OL); ++i) out[i] = cut_window(row, L, i);
  }
}
