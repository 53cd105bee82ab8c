// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pool  global [round_up(div_up(OL, 64), 16), N * C]  local [16, 1]  (x, y, L, OL)
*/
// A work-item computes 64 neighbouring windows, sixteen at a time. Windows that reach into the padding leave out what lies there.
#define OUTPUTS 64
#define LANES 16
#define WINDOW 8
#define PADDING 4

// NaN wins over every number.
float16 larger(float16 a, float16 b) {
  const float16 greater = a > b ? a : b;  // b if either is NaN
  return a != a ? a : greater;
}

float cut_window(__global const float* row, long L, long j) {
  long i = max(j - PADDING, 0L);
  float best = row[i];
  for (++i; i < min(j - PADDING + WINDOW, L); ++i) best = best > row[i] || best != best ? best : row[i];
  return best;
}

// Sixteen windows that lie in the row, the first from `w` on.
float16 whole_windows(__global const float* w) {
  const float16 a = larger(vload16(0, w), vload16(0, w + 1)), b = larger(vload16(0, w + 2), vload16(0, w + 3));
  const float16 c = larger(vload16(0, w + 4), vload16(0, w + 5)), d = larger(vload16(0, w + 6), vload16(0, w + 7));
  return larger(larger(a, b), larger(c, d));
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void pool(__global const float* restrict x, __global float* restrict y, long L,
                                                                   long OL) {
  long j = (long)get_global_id(0) * OUTPUTS;
  const long end = min(j + OUTPUTS, OL);
  x += get_group_id(1) * L;
  y += get_group_id(1) * OL;
  for (; j < min(end, (long)PADDING); ++j) y[j] = cut_window(x, L, j);
  for (; j + LANES <= end && j + LANES - PADDING + WINDOW - 1 <= L; j += LANES) vstore16(whole_windows(x + j - PADDING), 0, y + j);
  for (; j < end; ++j) y[j] = cut_window(x, L, j);
}
