// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel sample grid [div_up(N * OH * OW, 256)] block [256] (x, grid, y, long(N * OH * OW), int(C), int(H), int(W), long(OH * OW))
*/
// A thread has a point. Its position and weights are worked out once, in double (a pixel coordinate has lost digits that the point still
// has), and serve all channels.
extern "C" __global__ void sample(const float* __restrict__ x, const float* __restrict__ grid, float* __restrict__ y, long long points,
                                  int C, int H, int W, long long plane) {
  const long long point = blockIdx.x * 256ll + threadIdx.x;
  if (point >= points) return;
  const long long n = point / plane;
  float* out = y + n * C * plane + (point - n * plane);
  const float2 at = reinterpret_cast<const float2*>(grid)[point];
  const double column = ((at.x + 1.0) * W - 1) / 2, row = ((at.y + 1.0) * H - 1) / 2;
  if (!(row > -1 && row < H && column > -1 && column < W)) {  // NaN, too
    for (int c = 0; c < C; ++c) out[c * plane] = 0;
    return;
  }
  const int h = (int)floor(row), w = (int)floor(column);
  const double down = row - h, up = 1 - down, right = column - w, left = 1 - right;
  const float weight[4] = {(float)(up * left), (float)(up * right), (float)(down * left), (float)(down * right)};
  const bool has_row[2] = {h >= 0, h + 1 < H}, has_column[2] = {w >= 0, w + 1 < W};
  const float* corner = x + (n * C * H + h) * W + w;
  for (int c = 0; c < C; ++c, corner += (long long)H * W) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (has_row[i / 2] && has_column[i % 2]) sum += weight[i] * corner[i / 2 * W + i % 2];
    out[c * plane] = sum;
  }
}
