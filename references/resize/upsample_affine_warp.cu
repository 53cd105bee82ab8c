// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel warp grid [div_up(N * 4 * H * W, 256), div_up(C, 16)] block [256] (x, theta, y, long(N * 4 * H * W), int(C), int(H), int(W))
*/
// A thread has a pixel of sixteen channels. The doubled images are never stored: two neighbours in one of their rows are blends of at most
// three in x, so that a pixel has three weights along each axis. They are worked out once, in double: a place far from the origin has few
// digits left for its fraction.
constexpr int kChannels = 16, kTaps = 3;

struct Taps {
  int at[kTaps];
  float weight[kTaps];
};

// At `place` of the 2 n pixels, of which those outside are 0: the pixels of x, and what they weigh.
__device__ Taps taps_of(double place, int n) {
  const int near = (int)floor(place), first = (near + 1) / 2 - 1;
  double weight[kTaps] = {0, 0, 0};
  for (int side = 0; side < 2; ++side) {
    const int pixel = near + side;
    if (pixel < 0 || pixel >= 2 * n) continue;
    const double share = side == 0 ? 1 - (place - near) : place - near;
    // An even pixel has a quarter of the one before its own, an odd one of the one behind.
    const int tap = (pixel + 1) / 2 - 1 - first;
    weight[tap] += share * (pixel % 2 == 0 ? 0.25 : 0.75);
    weight[tap + 1] += share * (pixel % 2 == 0 ? 0.75 : 0.25);
  }
  Taps taps;
  for (int k = 0; k < kTaps; ++k) {
    taps.at[k] = min(max(first + k, 0), n - 1);
    taps.weight[k] = (float)weight[k];
  }
  return taps;
}

extern "C" __global__ void warp(const float* __restrict__ x, const float* __restrict__ theta, float* __restrict__ y, long long pixels,
                                int C, int H, int W) {
  const long long pixel = blockIdx.x * 256ll + threadIdx.x, plane = 4ll * H * W;
  if (pixel >= pixels) return;
  const long long n = pixel / plane;
  const int i = (int)(pixel - n * plane);
  const double right_of = (2.0 * (i % (2 * W)) + 1) / (2 * W) - 1, below = (2.0 * (i / (2 * W)) + 1) / (2 * H) - 1;
  const float* t = theta + n * 6;
  const double column = ((t[0] * right_of + t[1] * below + t[2] + 1) * (2 * W) - 1) / 2;
  const double row = ((t[3] * right_of + t[4] * below + t[5] + 1) * (2 * H) - 1) / 2;
  const int begin = blockIdx.y * kChannels, end = min(begin + kChannels, C);
  float* out = y + n * C * plane + i;
  if (!(row > -1 && row < 2 * H && column > -1 && column < 2 * W)) {  // NaN, too
    for (int c = begin; c < end; ++c) out[c * plane] = 0;
    return;
  }
  const Taps of_row = taps_of(row, H), of_column = taps_of(column, W);
  for (int c = begin; c < end; ++c) {
    float sum = 0;
#pragma unroll
    for (int r = 0; r < kTaps; ++r) {
      const float* in = x + ((n * C + c) * H + of_row.at[r]) * W;
#pragma unroll
      for (int k = 0; k < kTaps; ++k) {
        const float weight = of_row.weight[r] * of_column.weight[k];
        if (weight != 0) sum += weight * in[of_column.at[k]];  // an infinite neighbour of weight 0 makes no NaN
      }
    }
    out[c * plane] = sum;
  }
}
