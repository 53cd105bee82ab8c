// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average  global [round_up(OW, 16), round_up(OH, 4), N * C]  local [16, 4, 1]  (x, y, H, W, OH, OW)
*/
// A work-item has one window. It takes the eleven elements of a row as eight and four; the first of the four is the last of the eight and
// drops out in the end.
#define WINDOW 11

__kernel __attribute__((reqd_work_group_size(16, 4, 1))) void average(__global const float* restrict x, __global float* restrict y,
                                                                      long H, long W, long OH, long OW) {
  const long column = get_global_id(0), row = get_global_id(1), plane = get_global_id(2);
  if (column >= OW || row >= OH) return;
  x += (plane * H + row * WINDOW) * W + column * WINDOW;
  float8 left = 0;
  float4 right = 0;
  for (int i = 0; i < WINDOW; ++i) {
    left += vload8(0, x + i * W);
    right += vload4(0, x + i * W + WINDOW - 4);
  }
  const float4 half_sums = left.lo + left.hi;
  const float2 quarter_sums = half_sums.lo + half_sums.hi;
  const float sum = quarter_sums.x + quarter_sums.y + (right.y + right.z + right.w);
  y[(plane * OH + row) * OW + column] = sum / (WINDOW * WINDOW);
}
