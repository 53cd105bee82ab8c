// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel upsample_rows  global [round_up(div_up(W, 16), 4), div_up(H, 32), N * C]  local [4, 1, 1]
                          (x, y, H, W)
*/
// With a factor of two every output lies a quarter between two inputs. A work-item takes sixteen columns down
// 32 rows: each row is expanded to twice its width once, and then blended with the one above and the one
// below. The last work-item of a row moves back to have sixteen columns, too, and stores those that are its
// own.
#define COLUMNS 16
#define ROWS 32

// The columns from `first` on, of which `width` <= 16 exist, as twice as many; the row's ends are repeated.
__attribute__((always_inline)) void expand(__global const float* row, long first, long W, int width,
                                           float16* low, float16* high) {
  float16 v;
  if (width == COLUMNS) {
    v = vload16(0, row + first);
  } else {
    float lanes[COLUMNS];
    for (int i = 0; i < COLUMNS; ++i) lanes[i] = row[min(i, width - 1)];
    v = vload16(0, lanes);
  }
  const float left = row[max(first - 1, 0L)], right = row[min(first + width, W - 1)];
  const float16 before = (float16)(left, v.s0123, v.s4567, v.s89ab, v.scde);
  const float16 after = (float16)(v.s1234, v.s5678, v.s9abc, v.sdef, right);
  const float16 e = 0.25f * before + 0.75f * v;
  const float16 o = 0.75f * v + 0.25f * after;
  *low = (float16)(e.s0, o.s0, e.s1, o.s1, e.s2, o.s2, e.s3, o.s3, e.s4, o.s4, e.s5, o.s5, e.s6, o.s6, e.s7,
                   o.s7);
  *high = (float16)(e.s8, o.s8, e.s9, o.s9, e.sa, o.sa, e.sb, o.sb, e.sc, o.sc, e.sd, o.sd, e.se, o.se, e.sf,
                    o.sf);
}

// Stores what stands from twice `skip` on.
__attribute__((always_inline)) void store_row(float16 low, float16 high, __global float* out, int skip,
                                              int width) {
  if (skip == 0 && width == COLUMNS) {
    vstore16(low, 0, out);
    vstore16(high, 1, out);
    return;
  }
  float lanes[2 * COLUMNS];
  vstore16(low, 0, lanes);
  vstore16(high, 1, lanes);
  for (int i = 2 * skip; i < 2 * width; ++i) out[i] = lanes[i];
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void upsample_rows(__global const float* restrict x,
                                                                           __global float* restrict y, long H,
                                                                           long W) {
  const long column = (long)get_global_id(0) * COLUMNS;
  if (column >= W) return;
  const int width = (int)min(W, (long)COLUMNS);
  const long first = min(column, W - width);
  const int skip = (int)(column - first);
  const long OW = 2 * W;
  x += get_group_id(2) * H * W;
  y += get_group_id(2) * H * OW * 2 + 2 * first;

  const long begin = (long)get_group_id(1) * ROWS;
  float16 above_low, above_high, low, high, below_low, below_high;
  expand(x + max(begin - 1, 0L) * W, first, W, width, &above_low, &above_high);
  expand(x + begin * W, first, W, width, &low, &high);
  for (long h = begin; h < min(begin + ROWS, H); ++h) {
    expand(x + min(h + 1, H - 1) * W, first, W, width, &below_low, &below_high);
    __global float* out = y + 2 * h * OW;
    store_row(0.75f * low + 0.25f * above_low, 0.75f * high + 0.25f * above_high, out, skip, width);
    store_row(0.75f * low + 0.25f * below_low, 0.75f * high + 0.25f * below_high, out + OW, skip, width);
    above_low = low;
    above_high = high;
    low = below_low;
    high = below_high;
  }
}
