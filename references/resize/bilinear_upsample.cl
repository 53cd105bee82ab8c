// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel upsample_rows  global [round_up(div_up(W, 16), 4), div_up(H, 32), N * C]  local [4, 1, 1]
                          (x, y, H, W)
*/
// With a factor of two every output lies a quarter between two inputs. A work-item takes sixteen columns down
// 32 rows: each row is blended with the one above and the one below, and a blend yields an even and an odd
// column per element. The last work-item of a row moves back to have sixteen columns, too, and stores those
// that are its own.
#define COLUMNS 16
#define ROWS 32

// Sixteen elements and, in `left` and `right`, their neighbours, the row's ends repeated. `width` <= 16 of
// them exist.
__attribute__((always_inline)) float16 load_row(__global const float* row, long first, long W, int width,
                                                float* left, float* right) {
  *left = row[max(first - 1, 0L)];
  *right = row[min(first + width, W - 1)];
  if (width == COLUMNS) return vload16(0, row + first);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = row[min(i, width - 1)];
  return vload16(0, lanes);
}

// The output row that lies a quarter from `near` towards `far`, both with their neighbours.
__attribute__((always_inline)) void store_row(float16 near, float near_left, float near_right, float16 far,
                                              float far_left, float far_right, __global float* out, int skip,
                                              int width) {
  const float16 blend = 0.75f * near + 0.25f * far;
  const float left = 0.75f * near_left + 0.25f * far_left;
  const float right = 0.75f * near_right + 0.25f * far_right;
  const float16 before = (float16)(left, blend.s0123, blend.s4567, blend.s89ab, blend.scde);
  const float16 after = (float16)(blend.s1234, blend.s5678, blend.s9abc, blend.sdef, right);
  const float16 even = 0.25f * before + 0.75f * blend;
  const float16 odd = 0.75f * blend + 0.25f * after;
  const float16 low = (float16)(even.s0, odd.s0, even.s1, odd.s1, even.s2, odd.s2, even.s3, odd.s3, even.s4,
                                odd.s4, even.s5, odd.s5, even.s6, odd.s6, even.s7, odd.s7);
  const float16 high = (float16)(even.s8, odd.s8, even.s9, odd.s9, even.sa, odd.sa, even.sb, odd.sb, even.sc,
                                 odd.sc, even.sd, odd.sd, even.se, odd.se, even.sf, odd.sf);
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
  float above_left, above_right, left, right, below_left, below_right;
  float16 above = load_row(x + max(begin - 1, 0L) * W, first, W, width, &above_left, &above_right);
  float16 row = load_row(x + begin * W, first, W, width, &left, &right);
  for (long h = begin; h < min(begin + ROWS, H); ++h) {
    const float16 below = load_row(x + min(h + 1, H - 1) * W, first, W, width, &below_left, &below_right);
    store_row(row, left, right, above, above_left, above_right, y + 2 * h * OW, skip, width);
    store_row(row, left, right, below, below_left, below_right, y + (2 * h + 1) * OW, skip, width);
    above = row;
    above_left = left;
    above_right = right;
    row = below;
    left = below_left;
    right = below_right;
  }
}
