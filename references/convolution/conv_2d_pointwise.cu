// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [div_up(N * H * W, 64), div_up(O, 64)] block [512] (x, w, y, N, int(C), int(H * W), O)
*/
#include "blocks/convolution.cuh"

// The channels of a pixel.
struct Pixel : AlongTerms {
  const float* channels;
  int C, plane;  // C is 0 of a pixel outside

  __device__ Pixel(const float* x, long long first, long long pixels, int C, int plane) : C(first + row < pixels ? C : 0), plane(plane) {
    const long long n = (first + row) / plane;
    channels = x + n * C * plane + (first + row - n * plane);
  }
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) {
      const int c = (int)piece + term + i;
      into[i] = c < C ? channels[(long long)c * plane] : 0;
    }
  }
};

extern "C" __global__ void __launch_bounds__(kThreads)
    convolve(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long N, int C, int plane, long long O) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile, pixels = N * plane;
  const auto whole = multiply(Rows(w, m0, O, C), Pixel(x, n0, pixels, C, plane), 0, C);
  store_channels(whole, y, m0, O, n0, pixels, plane, [](float sum, long long o) { return sum; });
}
