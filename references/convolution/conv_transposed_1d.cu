// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [div_up(N * OL, 64), div_up(O, 64)] block [128] (x, w, y, N, int(C), int(L), int(O), int(OL))
*/
#include "blocks/convolution.cuh"

// [C, O, 3]: terms of a sum are the three taps of the first input channel, then those of the second.
struct Weights : AlongTerms {
  const float* w;
  int C, O;
  bool exists;

  __device__ Weights(const float* w, long long first, int C, int O) : w(w + (first + row) * 3), C(C), O(O), exists(first + row < O) {}
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) {
      const int k = (int)piece + term + i;
      into[i] = exists && k < C * 3 ? w[k / 3 * 3ll * O + k % 3] : 0;
    }
  }
};

// What an output place meets: of each channel x[place], x[place - 1], x[place - 2].
struct Window : AlongTerms {
  const float* channels;
  int place, C, L;
  bool exists;

  __device__ Window(const float* x, long long first, long long pixels, int C, int L, int OL) : C(C), L(L), exists(first + row < pixels) {
    const long long n = (first + row) / OL;
    place = (int)(first + row - n * OL);
    channels = x + n * C * L;
  }
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) {
      const int k = (int)piece + term + i, at = place - k % 3;
      into[i] = exists && k < C * 3 && at >= 0 && at < L ? channels[(long long)(k / 3) * L + at] : 0;
    }
  }
};

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    convolve(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long N, int C, int L, int O, int OL) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile, pixels = N * OL;
  const long long plane = OL, depth = C * 3ll;
  const auto whole = multiply<1>(Weights(w, m0, C, O), Window(x, n0, pixels, C, L, OL), 0, depth);
  store_channels(whole, y, m0, O, n0, pixels, plane, [](float sum, long long o) { return sum; });
}
