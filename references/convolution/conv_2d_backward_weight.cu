// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch parts: float[O * C * 9 * min(div_up(N * round_up(H * W, 16), 256), max(1, 528 / (div_up(C * 9, 64) * div_up(O, 64))))]
   kernel multiply_shares
     grid [div_up(C * 9, 64), div_up(O, 64), min(div_up(N * round_up(H * W, 16), 256), max(1, 528 / (div_up(C * 9, 64) * div_up(O, 64))))]
     block [128] (x, dy, parts, N, int(C), int(H), int(W), O)
   kernel add_shares grid [div_up(O * C * 9, 256)] block [256]
     (parts, dw, long(O * C * 9), int(min(div_up(N * round_up(H * W, 16), 256), max(1, 528 / (div_up(C * 9, 64) * div_up(O, 64))))))
*/
// A product of matrices, [O, pixels] and [pixels, 9 C]. Tiles are few and sums are long, so that blocks share a tile's sums: as many as a
// GPU of 132 multiprocessors has room for. Pixels of an image are counted as a multiple of sixteen: no piece of a sum is of two images.
#include "blocks/product.cuh"
#include "blocks/quotient.cuh"

struct Pixels {
  long long terms;
  int plane, counted;

  __device__ Pixels(long long N, int plane)
      : terms(N * ((plane + kDepth - 1) / kDepth * kDepth)), plane(plane), counted((plane + kDepth - 1) / kDepth * kDepth) {}
};

// Of a piece: its image, its first pixel, and how many pixels the image has from there on.
struct Piece {
  long long image;
  int pixel, left;

  __device__ Piece(const Pixels& pixels, long long k)
      : image(quotient(k, pixels.counted)), pixel((int)(k - image * pixels.counted)), left(k < pixels.terms ? pixels.plane - pixel : 0) {}
};

struct Gradients : RowPairs {
  Pixels pixels;
  const float *from, *below;
  long long to_next_image;
  bool exists, exists_below;

  __device__ Gradients(const float* dy, long long first, long long O, const Pixels& pixels)
      : pixels(pixels),
        from(dy + (first + row) * pixels.plane + term),
        below(from + (long long)kTile / 2 * pixels.plane),
        to_next_image(O * pixels.plane),
        exists(first + row < O),
        exists_below(first + row + kTile / 2 < O) {}
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    const Piece piece(pixels, k);
    const long long at = piece.image * to_next_image + piece.pixel;
    const int left = piece.left - term;
    if (pixels.plane % 4 == 0 && exists_below && left > 0) {
      load_four(from + at, into);
      load_four(below + at, into + 4);
    } else {
      for (int i = 0; i < 4; ++i) into[i] = exists && i < left ? from[at + i] : 0;
      for (int i = 0; i < 4; ++i) into[4 + i] = exists_below && i < left ? below[at + i] : 0;
    }
  }
};

// Of a channel and a tap, what pixels meet there.
struct Neighbours : RowPairs {
  Pixels pixels;
  const float* from[2];
  long long to_next_image;
  int W, down[2], across[2];
  bool exists[2];

  __device__ Neighbours(const float* x, long long first, int C, int W, const Pixels& pixels)
      : pixels(pixels), to_next_image((long long)C * pixels.plane), W(W) {
    for (int r = 0; r < 2; ++r) {
      const int column = (int)first + row + r * (kTile / 2);
      down[r] = (column % 9 / 3 - 1) * W;
      across[r] = column % 3 - 1;
      from[r] = x + (long long)(column / 9) * pixels.plane + down[r] + across[r];
      exists[r] = column < C * 9;
    }
  }
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    const Piece piece(pixels, k);
    int pixel = piece.pixel + term, v = pixel % W;
    const long long at = piece.image * to_next_image + pixel;
    for (int i = 0; i < 4; ++i) {
      for (int r = 0; r < 2; ++r) {
        const bool inside = (unsigned)(pixel + down[r]) < (unsigned)pixels.plane && (unsigned)(v + across[r]) < (unsigned)W;
        into[4 * r + i] = exists[r] && term + i < piece.left && inside ? from[r][at + i] : 0;
      }
      ++pixel;
      v = v + 1 == W ? 0 : v + 1;
    }
  }
};

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    multiply_shares(const float* __restrict__ x, const float* __restrict__ dy, float* __restrict__ parts, long long N, int C, int H, int W,
                    long long O) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile, columns = C * 9ll;
  const Pixels pixels(N, H * W);
  const long long share = (pixels.terms / kDepth + gridDim.z - 1) / gridDim.z * kDepth, begin = blockIdx.z * share;
  const auto whole = multiply<1>(Gradients(dy, m0, O, pixels), Neighbours(x, n0, C, W, pixels), begin, min(begin + share, pixels.terms));
  parts += blockIdx.z * O * columns;
  for (int e = threadIdx.x; e < kTile * kTile; e += kGroup) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < O && n < columns) parts[m * columns + n] = whole[e / kTile][e % kTile];
  }
}

extern "C" __global__ void add_shares(const float* __restrict__ parts, float* __restrict__ dw, long long count, int shares) {
  const long long e = blockIdx.x * 256ll + threadIdx.x;
  if (e >= count) return;
  float sum = 0;
#pragma unroll 8
  for (int s = 0; s < shares; ++s) sum += parts[s * count + e];
  dw[e] = sum;
}
