// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel stencil grid [div_up(W, 128), div_up(H, 8), div_up(D, 16)] block [32, 8] (x, weights, y, int(D), int(H), int(W))
*/
// Of the eight rows around each row, the four beside it and the four across from it are added first: three rows are left to be combined.
#include "blocks/grid.cuh"

struct AllNeighbours {
  float w0, w1, w2, w3;

  __device__ explicit AllNeighbours(const float* weights) : w0(weights[0]), w1(weights[1]), w2(weights[2]), w3(weights[3]) {}
  template <int n>
  __device__ void line(const Slice<n>& front, const Slice<n>& middle, const Slice<n>& back, float (&to)[n]) const {
    const Line<n> beside = front.own + back.own + middle.beside, across = front.beside + back.beside;
    for (int c = 0; c < n; ++c)
      to[c] = w0 * middle.own[c] + w1 * (middle.own.sides(c) + beside[c]) + w2 * (beside.sides(c) + across[c]) + w3 * across.sides(c);
  }
};

extern "C" __global__ void stencil(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int D, int H,
                                   int W) {
  step_planes(x, y, D, H, W, AllNeighbours(weights));
}
