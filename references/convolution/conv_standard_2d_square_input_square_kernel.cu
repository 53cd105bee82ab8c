// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [div_up(N * OH * OW, 64), div_up(O, 64)] block [128]
                 (x, w, b, y, N, int(C), int(H), int(W), O, int(OH), int(OW))
*/
#include "blocks/convolution.cuh"

// The window of an output pixel.
struct Window : AlongTerms {
  const float* image;
  int top, left;
  int C, H, W;
  bool exists;

  __device__ Window(const float* x, long long first, long long pixels, int C, int H, int W, int OH, int OW)
      : C(C), H(H), W(W), exists(first + row < pixels) {
    const long long pixel = first + row, line = pixel / OW, n = line / OH;
    top = (int)(line - n * OH) * 4 - 2;
    left = (int)(pixel - line * OW) * 4 - 2;
    image = x + n * C * H * W;
  }
  __device__ float at(int k) const {
    if (!exists) return 0;
    const int h = top + k / 11 % 11, w = left + k % 11;
    return k < C * 121 && h >= 0 && h < H && w >= 0 && w < W ? image[(k / 121 * H + h) * W + w] : 0;
  }
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) into[i] = at((int)k + term + i);
  }
};

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    convolve(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, long long N,
             int C, int H, int W, long long O, int OH, int OW) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile, pixels = N * OH * OW;
  const long long plane = (long long)OH * OW, depth = C * 121ll;
  const auto whole = multiply<1>(Rows(w, m0, O, depth), Window(x, n0, pixels, C, H, W, OH, OW), 0, depth);
  store_channels(whole, y, m0, O, n0, pixels, plane, [&](float sum, long long o) { return sum + b[o]; });
}
