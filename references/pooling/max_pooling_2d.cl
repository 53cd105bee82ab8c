// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pool  global [round_up(div_up(OW, 16), 8), div_up(OH, 32), N * C]  local [8, 1, 1]  (x, y, H, W)
*/
// A work-item computes a block of 32 rows of sixteen outputs. The maximum is separable and does not mind
// repetition: each input row is reduced along the row once, then paired with its predecessor, and pairs are
// paired; where a window sticks out, an element or row inside it is taken twice instead of padding. The last
// block of a row moves back to be whole and stores what is its own.
#define COLUMNS 16
#define ROWS 32

// NaN wins over every number.
float16 larger(float16 a, float16 b) {
  const float16 greater = a > b ? a : b;  // b if either is NaN
  return a != a ? a : greater;
}

// Windows of columns j - 1 ... j + 2 for sixteen neighbours j from `first` on. Needs W > COLUMNS + 1.
float16 reduce_whole(__global const float* row, long first, long W) {
  const float16 b = vload16(0, row + first);
  const float16 c = vload16(0, row + first + 1);
  float16 a = (float16)(b.s0, b.s0123, b.s4567, b.s89ab, b.scde);
  float16 d = (float16)(c.s1234, c.s5678, c.s9abc, c.sdef, c.sf);
  if (first > 0) a = vload16(0, row + first - 1);
  if (first + COLUMNS + 1 < W) d = vload16(0, row + first + 2);
  return larger(larger(a, b), larger(c, d));
}

// The same for planes narrower than a block; what lies beyond the last output is filler.
float16 reduce_narrow(__global const float* row, long W) {
  float lanes[COLUMNS];
  for (int j = 0; j < COLUMNS; ++j) {
    float best = row[max(j - 1, 0) < W ? max(j - 1, 0) : W - 1];
    for (int i = 0; i < 3; ++i) {
      const float next = row[min((long)(j + i), W - 1)];
      best = best > next || best != best ? best : next;
    }
    lanes[j] = best;
  }
  return vload16(0, lanes);
}

__attribute__((always_inline)) float16 reduce_along(__global const float* plane, long h, long H, long W,
                                                    long first) {
  __global const float* row = plane + clamp(h, 0L, H - 1) * W;
  if (W > COLUMNS + 1) return reduce_whole(row, first, W);
  return reduce_narrow(row, W);
}

// Stores the columns from `column` on.
void store_row(float16 v, __global float* row, long column, long first, long OW) {
  if (first == column && column + COLUMNS <= OW) {
    vstore16(v, 0, row + column);
    return;
  }
  float lanes[COLUMNS];
  vstore16(v, 0, lanes);
  for (long j = column; j < min(first + COLUMNS, OW); ++j) row[j] = lanes[j - first];
}

__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void pool(__global const float* restrict x,
                                                                  __global float* restrict y, long H,
                                                                  long W) {
  const long OH = H - 1, OW = W - 1;
  const long column = (long)get_global_id(0) * COLUMNS;
  if (column >= OW) return;
  const long first = max(min(column, OW - COLUMNS), 0L);
  x += get_group_id(2) * H * W;
  y += get_group_id(2) * OH * OW;

  const long begin = (long)get_group_id(1) * ROWS;
  const long end = min(begin + ROWS, OH);
  float16 previous = 0, upper = 0, middle = 0;
  for (long h = begin - 3; h < end; ++h) {  // three rows ahead, until both pairs of row `begin` are there
    const float16 next = reduce_along(x, h + 2, H, W, first);
    const float16 lower = larger(previous, next);
    if (h >= begin) store_row(larger(upper, lower), y + h * OW, column, first, OW);
    upper = middle;
    middle = lower;
    previous = next;
  }
}
