// SPDX-License-Identifier: Apache-2.0
#include "transpose_pitched.h"

static constexpr int kTile = 32, kRowsAtOnce = 8;

// Tiles lie along x only, since a grid may have more blocks there. A row of a tile has one number more, so that a column has all banks.
static __global__ void transpose(const float* in, std::size_t in_pitch, float* out, std::size_t out_pitch, int rows, int columns, int tiles_across) {
  __shared__ float tile[kTile][kTile + 1];
  const int column = static_cast<int>(blockIdx.x) % tiles_across * kTile, row = static_cast<int>(blockIdx.x) / tiles_across * kTile;
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < kTile; y += kRowsAtOnce)
    if (row + y < rows && column + x < columns) tile[y][x] = in[(row + y) * in_pitch + column + x];
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < kTile; y += kRowsAtOnce)
    if (column + y < columns && row + x < rows) out[(column + y) * out_pitch + row + x] = tile[x][y];
}

cudaError_t transpose_pitched(const float* in, int in_pitch, float* out, int out_pitch, int rows, int columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return cudaSuccess;
  const int across = (columns + kTile - 1) / kTile, down = (rows + kTile - 1) / kTile;
  transpose<<<static_cast<unsigned>(across) * down, dim3(kTile, kRowsAtOnce), 0, stream>>>(in, in_pitch, out, out_pitch, rows, columns, across);
  return cudaGetLastError();
}
