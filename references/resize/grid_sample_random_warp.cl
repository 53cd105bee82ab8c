// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel sample  global [round_up(OH * OW, 64), N]  local [64, 1]  (x, grid, y, C, H, W, long(OH * OW))
*/
// A work-item takes one point through all channels. Position and weights are worked out once, in double: a
// pixel coordinate has lost digits that the point still has. A point whose four neighbours lie inside takes
// the short way.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void sample(__global const float* restrict x,
                                                                     __global const float* restrict grid,
                                                                     __global float* restrict y, long C,
                                                                     long H, long W, long points) {
  const long point = get_global_id(0);
  if (point >= points) return;
  const long n = get_group_id(1);
  const float2 at = vload2(n * points + point, grid);
  const double column = ((at.x + 1.0) * W - 1) / 2;
  const double row = ((at.y + 1.0) * H - 1) / 2;
  x += n * C * H * W;
  y += n * C * points + point;

  const bool touches = row > -1 && row < H && column > -1 && column < W;  // false for NaN, too
  if (!touches) {
    for (long c = 0; c < C; ++c) y[c * points] = 0;
    return;
  }
  const int h = (int)row - (row < 0 ? 1 : 0), w = (int)column - (column < 0 ? 1 : 0);  // both lie above -1
  // Each weight is rounded once: a point close to the next pixel would otherwise lose the weight's digits.
  const double down = row - h, up = 1 - down;
  const double right = column - w, left = 1 - right;
  const float weight[4] = {(float)(up * left), (float)(up * right), (float)(down * left),
                           (float)(down * right)};
  if (h >= 0 && h + 1 < H && w >= 0 && w + 1 < W) {
    const int width = (int)W;
    __global const float* corner = x + h * W + w;
    for (long c = 0; c < C; ++c, corner += H * W)
      y[c * points] = (weight[0] * corner[0] + weight[1] * corner[1]) +
                      (weight[2] * corner[width] + weight[3] * corner[width + 1]);
    return;
  }
  for (long c = 0; c < C; ++c) {
    float sum = 0;
    for (int i = 0; i < 4; ++i) {
      const int r = h + i / 2, s = w + i % 2;
      if (r >= 0 && r < H && s >= 0 && s < W) sum += weight[i] * x[(c * H + r) * W + s];
    }
    y[c * points] = sum;
  }
}
