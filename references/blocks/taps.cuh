// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions with kernels of 3 x 3 and stride 1, as products of matrices: an image is a matrix with a row for each channel and
// a column for each pixel. A block, one group of threads, computes 64 channels of 64 pixels of an image.
#pragma once
#include "blocks/product.cuh"

// What output pixels meet: terms of a sum are the nine numbers of the first channel, then those of the next. Around an image are kPadding
// rows and columns of zeros. Whether a tap of a pixel lies in the image depends on the tap's row and column, which have a bit for each of
// the thread's pixels.
template <int kPadding>
struct Taps3x3 : AcrossTerms {
  static constexpr int kWider = 2 * kPadding - 2;  // columns, than the image
  const float* from;                               // what the thread's first pixel meets at the first tap
  int depth, plane, W;
  unsigned rows = 0, columns = 0;  // a byte for each row and column of taps
  unsigned long long down = 0;     // a byte for each pixel: lines below the first one

  __device__ Taps3x3(const float* image, long long first, int C, int H, int W) : depth(C * 9), plane(H * W), W(W) {
    const int OH = H + kWider, OW = W + kWider, start = (int)first + column, line = start / OW;
    from = image + (start - line * kWider - kPadding * (W + 1));
    for (int i = 0; i < kFetched; ++i) {
      const int pixel = start + place_of(i);
      if (pixel >= OH * OW) continue;
      const int h = pixel / OW - kPadding, w = pixel % OW - kPadding;
      for (int tap = 0; tap < 3; ++tap) {
        rows |= (unsigned)(h + tap >= 0 && h + tap < H) << (8 * tap + i);
        columns |= (unsigned)(w + tap >= 0 && w + tap < W) << (8 * tap + i);
      }
      down |= (unsigned long long)(pixel / OW - line) << 8 * i;
    }
  }
  __device__ static int place_of(int i) { return i / 4 * (kTile / 2) + i % 4; }
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    const int k = (int)piece + row, channel = k / 9, i = k % 9 / 3, j = k % 3;
    const unsigned inside = k < depth ? rows >> 8 * i & columns >> 8 * j : 0;
    const float* v = from + (long long)channel * plane + i * W + j;
    for (int p = 0; p < kFetched; ++p) into[p] = inside >> p & 1 ? v[place_of(p) - kWider * (int)(down >> 8 * p & 255)] : 0;
  }
};

// [C, O, 3, 3], of which an output pixel meets the last tap first.
struct TurnedKernels : AlongTerms {
  const float* from;
  long long to_next;
  int depth;

  __device__ TurnedKernels(const float* w, long long first, long long O, int C)
      : from(w + (first + row) * 9 + 8), to_next(O * 9), depth(first + row < O ? C * 9 : 0) {}
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    const int k = (int)piece + term, channel = k / 9;
    int tap = k % 9;
    const float* v = from + channel * to_next - tap;
    for (int i = 0; i < kFetched; ++i) {
      into[i] = k + i < depth ? *v : 0;
      const bool is_last = tap == 8;
      v += is_last ? to_next + 8 : -1;
      tap = is_last ? 0 : tap + 1;
    }
  }
};

// Of images [C, H, W] those of O channels, plus shift_of(channel): for a grid [N * div_up(OH * OW, 64) * div_up(O, 64)]. Blocks side by
// side have the same pixels.
template <int kPadding, class Shift>
__device__ void convolve_transposed(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int C, int H, int W,
                                    long long O, Shift shift_of) {
  const int wider = Taps3x3<kPadding>::kWider, plane = (H + wider) * (W + wider);
  const unsigned across = (plane + kTile - 1) / kTile, tall = (O + kTile - 1) / kTile;
  const long long image = blockIdx.x / (across * tall);
  const long long m0 = blockIdx.x % tall * (long long)kTile, n0 = blockIdx.x / tall % across * (long long)kTile;
  const StoreRows store(y + image * O * plane, m0, O, n0, plane);
  multiply_alone(TurnedKernels(w, m0, O, C), Taps3x3<kPadding>(x + image * C * H * W, n0, C, H, W), C * 9,
                 [&](int row, int column, float2 pair) {
                   if (m0 + row >= O) return;
                   const float shift = shift_of(m0 + row);
                   store(row, column, make_float2(pair.x + shift, pair.y + shift));
                 });
}
