// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel upsample_rows  global [round_up(N * C * H * div_up(W * S, 16), 64)]  local [64]  (x, y, long(N * C * H), W, S)
*/
// A work-item works out sixteen columns of an output row, and stores them S times: it begins with the first pixel, and puts each further
// one over the columns from there on.
#define COLUMNS 16

__kernel void upsample_rows(__global const float* restrict x, __global float* restrict y, long rows, long W, long S) {
  const int16 lane = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const long width = W * S, across = (width + COLUMNS - 1) / COLUMNS;
  const long row = (long)get_global_id(0) / across;
  if (row >= rows) return;
  const long first = ((long)get_global_id(0) - row * across) * COLUMNS, pixel = first / S;
  const int count = (int)min(width - first, (long)COLUMNS);
  x += row * W + pixel;
  y += row * S * width + first;

  float16 v = *x;
  for (long begin = (pixel + 1) * S - first; begin < count; begin += S) v = lane >= (int)begin ? (float16)(*++x) : v;
  if (count == COLUMNS) {
    for (long s = 0; s < S; ++s) vstore16(v, 0, y + s * width);
    return;
  }
  float lanes[COLUMNS];
  vstore16(v, 0, lanes);
  for (long s = 0; s < S; ++s)
    for (int i = 0; i < count; ++i) y[s * width + i] = lanes[i];
}
