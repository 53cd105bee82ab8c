// SPDX-License-Identifier: Apache-2.0
// Matrices [height, width], of which a warp writes a row, for blocks of eight warps. Neighbouring threads write neighbouring numbers.
#pragma once

#include "blocks/quotient.cuh"

// `number` is called with the matrix, the row and the column of a result: four times before the first of these is written, so that what it
// reads is on its way together.
template <class F>
__device__ void write_row(float* __restrict__ y, long long matrices, long long height, int width, F number) {
  constexpr int kEach = 4;
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= matrices * height) return;
  const long long n = quotient(row, height), h = row - n * height;
  y += row * width;
  int w = threadIdx.x % 32;
  for (; w + (kEach - 1) * 32 < width; w += kEach * 32) {
    float held[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i) held[i] = number(n, h, w + i * 32);
#pragma unroll
    for (int i = 0; i < kEach; ++i) y[w + i * 32] = held[i];
  }
  for (; w < width; w += 32) y[w] = number(n, h, w);
}
