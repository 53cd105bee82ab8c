// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel shuffle_pixels  global [round_up(B * W, 64), B * H, N * C]  local [64, 1, 1]  (x, y, B, H, W)
*/
__kernel void shuffle_pixels(__global const float* restrict x, __global float* restrict y, long B, long H, long W) {
  const long column = get_global_id(0), row = get_global_id(1), plane = get_global_id(2);
  if (column >= B * W) return;
  const long channel = (plane * B + row % B) * B + column % B;
  y[(plane * B * H + row) * B * W + column] = x[(channel * H + row / B) * W + column / B];
}
