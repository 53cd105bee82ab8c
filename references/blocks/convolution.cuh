// SPDX-License-Identifier: Apache-2.0
// Convolutions as products of matrices: a block, one group of threads, computes 64 channels of 64 pixels.
#pragma once
#include "blocks/product.cuh"

// The 3 x 3 window of an output pixel, without padding: terms of a sum are the nine numbers of the first channel, then those of the next.
// Of a pixel outside it is the last one's.
struct Window3x3 : AlongTerms {
  const float* image;
  int depth, W, to_next_channel;

  __device__ Window3x3(const float* x, long long first, long long pixels, int C, int H, int W, int OH, int OW)
      : depth(C * 9), W(W), to_next_channel(H * W - 2 * W - 2) {
    const long long pixel = min(first + row, pixels - 1), line = pixel / OW, n = line / OH;
    image = x + (n * C * H + (line - n * OH)) * W + (pixel - line * OW);
  }
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    const int k = (int)piece + term, channel = k / 9;
    int down = k % 9 / 3, across = k % 3;
    const float* from = image + (long long)channel * (to_next_channel + 2 * W + 2) + down * W + across;
    for (int i = 0; i < kFetched; ++i) {
      into[i] = k + i < depth ? *from : 0;
      const bool is_row_over = across == 2, is_channel_over = is_row_over && down == 2;
      from += is_channel_over ? to_next_channel : is_row_over ? W - 2 : 1;
      down = is_channel_over ? 0 : down + is_row_over;
      across = is_row_over ? 0 : across + 1;
    }
  }
};

// y[n, o, place] = finish(sum, o) of a tile's channels and pixels; a channel has `plane` places.
template <class Finish>
__device__ void store_channels(const float (*whole)[kPitch], float* __restrict__ y, long long first_channel, long long channels,
                               long long first_pixel, long long pixels, long long plane, Finish finish) {
  const int column = threadIdx.x % kTile;
  const long long pixel = first_pixel + column, n = pixel / plane;
  if (pixel >= pixels) return;
  y += n * channels * plane + (pixel - n * plane);
  for (int row = threadIdx.x / kTile; row < kTile && first_channel + row < channels; row += blockDim.x / kTile) {
    const long long o = first_channel + row;
    y[o * plane] = finish(whole[row][column], o);
  }
}
