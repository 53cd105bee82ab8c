// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel warp grid [div_up(N * OH * OW, 256), div_up(C, 16)] block [256]
               (x, theta, y, long(N * OH * OW), int(C), int(H), int(W), int(OH), int(OW))
*/
// A thread has a pixel of sixteen channels. Its place and weights are worked out once, in double: a place far from the origin has few
// digits left for its fraction.
constexpr int kChannels = 16;

extern "C" __global__ void warp(const float* __restrict__ x, const float* __restrict__ theta, float* __restrict__ y, long long pixels,
                                int C, int H, int W, int OH, int OW) {
  const long long pixel = blockIdx.x * 256ll + threadIdx.x, plane = (long long)OH * OW;
  if (pixel >= pixels) return;
  const long long n = pixel / plane;
  const int i = (int)(pixel - n * plane);
  const double right_of = (2.0 * (i % OW) + 1) / OW - 1, below = (2.0 * (i / OW) + 1) / OH - 1;
  const float* t = theta + n * 6;
  const double column = ((t[0] * right_of + t[1] * below + t[2] + 1) * W - 1) / 2;
  const double row = ((t[3] * right_of + t[4] * below + t[5] + 1) * H - 1) / 2;
  const int begin = blockIdx.y * kChannels, end = min(begin + kChannels, C);
  float* out = y + n * C * plane + i;
  if (!(row > -1 && row < H && column > -1 && column < W)) {  // NaN, too
    for (int c = begin; c < end; ++c) out[c * plane] = 0;
    return;
  }
  const int h = (int)floor(row), w = (int)floor(column);
  const double down = row - h, up = 1 - down, right = column - w, left = 1 - right;
  const float weight[4] = {(float)(up * left), (float)(up * right), (float)(down * left), (float)(down * right)};
  const bool has_row[2] = {h >= 0, h + 1 < H}, has_column[2] = {w >= 0, w + 1 < W};
  const float* corner = x + ((n * C + begin) * H + h) * W + w;
#pragma unroll 2
  for (int c = begin; c < end; ++c, corner += (long long)H * W) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (has_row[k / 2] && has_column[k % 2]) sum += weight[k] * corner[k / 2 * W + k % 2];
    out[c * plane] = sum;
  }
}
