// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average  global [round_up(div_up(OL, 64), 16), N * C]  local [16, 1]  (x, y, L, OL)
*/
// A work-item computes 64 neighbouring windows, each summed afresh as a tree of eight: a running sum would
// drag rounding and NaN along the row. Windows that reach into the padding leave out what lies there.
#define OUTPUTS 64
#define LANES 16
#define WINDOW 8
#define PADDING 4

float cut_window(__global const float* row, long L, long j) {
  float sum = 0;
  for (long i = max(j - PADDING, 0L); i < min(j - PADDING + WINDOW, L); ++i) sum += row[i];
  return sum / WINDOW;
}

// Sixteen windows that lie in the row, the first from `w` on.
float16 whole_windows(__global const float* w) {
  const float16 left = (vload16(0, w) + vload16(0, w + 1)) + (vload16(0, w + 2) + vload16(0, w + 3));
  const float16 right = (vload16(0, w + 4) + vload16(0, w + 5)) + (vload16(0, w + 6) + vload16(0, w + 7));
  return (left + right) * (1.0f / WINDOW);
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void average(__global const float* restrict x,
                                                                      __global float* restrict y, long L,
                                                                      long OL) {
  long j = (long)get_global_id(0) * OUTPUTS;
  const long end = min(j + OUTPUTS, OL);
  x += get_group_id(1) * L;
  y += get_group_id(1) * OL;
  for (; j < min(end, (long)PADDING); ++j) y[j] = cut_window(x, L, j);
  for (; j + LANES <= end && j + LANES - PADDING + WINDOW - 1 <= L; j += LANES)
    vstore16(whole_windows(x + j - PADDING), 0, y + j);
  for (; j < end; ++j) y[j] = cut_window(x, L, j);
}
