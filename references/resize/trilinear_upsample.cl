// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel upsample_rows  global [round_up(N * C * 2 * D * div_up(H, 16) * div_up(W, 16), 32)]  local [32]
                    (x, y, long(N * C * 2 * D), D, H, W)
*/
// Of n elements, output 2 m lies between m - 1 and m, and output 2 m + 1 between m and m + 1; the weights of m - 1 and m + 1 are
// m / (2 n - 1) and (n - 1 - m) / (2 n - 1). A work-item takes sixteen columns down 16 rows of an output slice: each row is blended from
// two slices and expanded to twice its width once, and then blended with the one above and the one below.
#define COLUMNS 16
#define ROWS 16

typedef struct {
  float16 low, high;
} Line;

// The neighbour before element m: where there is none, the one behind m stands for it, with a weight of 0.
long before_of(long m, long n) { return m > 0 ? m - 1 : min(1L, n - 1); }
long after_of(long m, long n) { return min(m + 1, n - 1); }

float16 blend(float16 near, float16 far, float share) { return near * (1 - share) + far * share; }

float16 load_columns(__global const float* from, int width) {
  if (width == COLUMNS) return vload16(0, from);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = from[min(i, width - 1)];
  return vload16(0, lanes);
}

void store_columns(float16 v, int count, __global float* to) {
  if (count >= COLUMNS) {
    vstore16(v, 0, to);
    return;
  }
  float lanes[COLUMNS];
  vstore16(v, 0, lanes);
  for (int i = 0; i < count; ++i) to[i] = lanes[i];
}

void store_line(Line line, int width, __global float* to) {
  store_columns(line.low, 2 * width, to);
  store_columns(line.high, 2 * width - COLUMNS, to + COLUMNS);
}

Line blend_lines(Line near, Line far, float share) {
  Line line;
  line.low = blend(near.low, far.low, share);
  line.high = blend(near.high, far.high, share);
  return line;
}

// Columns `first` to `first` + `width` - 1 of a row, the slices blended, as twice as many.
Line expand(__global const float* near, __global const float* far, float share, long first, int width, long W) {
  const long left = before_of(first, W), right = min(first + width, W - 1);
  const float16 v = blend(load_columns(near + first, width), load_columns(far + first, width), share);
  const float2 ends = (float2)(near[left], near[right]) * (1 - share) + (float2)(far[left], far[right]) * share;
  const float16 before = (float16)(ends.x, v.s0123, v.s4567, v.s89ab, v.scde);
  const float16 after = (float16)(v.s1234, v.s5678, v.s9abc, v.sdef, ends.y);
  const float16 m = (float)first + (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const float below = 2 * W - 1;
  const float16 even = m / below, odd = (W - 1 - m) / below;
  const float16 e = before * even + v * (1 - even);
  const float16 o = after * odd + v * (1 - odd);
  Line line;
  line.low = (float16)(e.s0, o.s0, e.s1, o.s1, e.s2, o.s2, e.s3, o.s3, e.s4, o.s4, e.s5, o.s5, e.s6, o.s6, e.s7, o.s7);
  line.high = (float16)(e.s8, o.s8, e.s9, o.s9, e.sa, o.sa, e.sb, o.sb, e.sc, o.sc, e.sd, o.sd, e.se, o.se, e.sf, o.sf);
  return line;
}

__kernel void upsample_rows(__global const float* restrict x, __global float* restrict y, long slices, long D, long H, long W) {
  const long across = (W + COLUMNS - 1) / COLUMNS, down = (H + ROWS - 1) / ROWS;
  const long first = (long)get_global_id(0) % across * COLUMNS, piece = (long)get_global_id(0) / across;
  const long begin = piece % down * ROWS, slice = piece / down;
  if (slice >= slices) return;
  const int width = (int)min(W - first, (long)COLUMNS);
  const long d = slice % (2 * D) / 2;
  const bool is_odd = slice % 2 == 1;
  const float share = (float)(is_odd ? D - 1 - d : d) / (2 * D - 1);
  __global const float* near = x + (slice / (2 * D) * D + d) * H * W;
  __global const float* far = near + ((is_odd ? after_of(d, D) : before_of(d, D)) - d) * H * W;
  y += slice * 4 * H * W + 2 * first;

  long h = before_of(begin, H);
  Line above = expand(near + h * W, far + h * W, share, first, width, W);
  Line line = expand(near + begin * W, far + begin * W, share, first, width, W);
  for (h = begin; h < min(begin + ROWS, H); ++h) {
    const long next = after_of(h, H);
    const Line below = expand(near + next * W, far + next * W, share, first, width, W);
    __global float* out = y + 4 * h * W;
    store_line(blend_lines(line, above, (float)h / (2 * H - 1)), width, out);
    store_line(blend_lines(line, below, (float)(H - 1 - h) / (2 * H - 1)), width, out + 2 * W);
    above = line;
    line = below;
  }
}
