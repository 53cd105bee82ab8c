// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel resize grid [div_up(OH * OW, 256), div_up(N * C, 8)] block [256] (x, y, long(N * C), int(H), int(W), int(OH), int(OW))
*/
// A thread has a pixel of eight images. Its place and weights are worked out once, in double: a place far from the origin has few digits
// left for its fraction.
constexpr int kImages = 8, kTaps = 4;

struct Taps {
  int at[kTaps];
  float weight[kTaps];
};

// Of pixel i of m among the n that there were, with a = -0.75.
__device__ Taps taps_of(int i, int n, int m) {
  const double at = m > 1 ? (double)((long long)i * (n - 1)) / (m - 1) : 0;
  const int first = (int)at;
  const double t = at - first, s = 1 - t;
  const auto inner = [](double d) { return (1.25 * d - 2.25) * d * d + 1; };
  const auto outer = [](double d) { return ((-0.75 * d + 3.75) * d - 6) * d + 3; };
  const double weight[kTaps] = {outer(1 + t), inner(t), inner(s), outer(1 + s)};
  Taps taps;
  for (int k = 0; k < kTaps; ++k) {
    taps.at[k] = min(max(first - 1 + k, 0), n - 1);
    taps.weight[k] = (float)weight[k];
  }
  return taps;
}

extern "C" __global__ void __launch_bounds__(256)
    resize(const float* __restrict__ x, float* __restrict__ y, long long images, int H, int W, int OH, int OW) {
  const long long plane = (long long)OH * OW, pixel = blockIdx.x * 256ll + threadIdx.x;
  if (pixel >= plane) return;
  const Taps row = taps_of((int)(pixel / OW), H, OH), column = taps_of((int)(pixel % OW), W, OW);
  const long long begin = blockIdx.y * (long long)kImages, end = min(begin + kImages, images);
  for (long long image = begin; image < end; ++image) {
    float sum = 0;
#pragma unroll
    for (int r = 0; r < kTaps; ++r) {
      const float* in = x + (image * H + row.at[r]) * W;
      float along = 0;
#pragma unroll
      for (int c = 0; c < kTaps; ++c) along += column.weight[c] * in[column.at[c]];
      sum += row.weight[r] * along;
    }
    y[image * plane + pixel] = sum;
  }
}
