// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relax_tiles grid [div_up(W, 512), div_up(H, 32)] block [256] shared [4 * 34 * 520] (u, f, h2, int(H), int(W))
   kernel relax_rims  grid [div_up(W, 512), div_up(H, 32)] block [256]                       (u, f, h2, int(H), int(W))
*/
// A block holds a tile of the grid in shared memory, and relaxes its red points, then the black ones whose neighbours are all in the tile.
// Those at the tile's rim need red points of other tiles, and stay as they are, which the others' red ones need: they come when all tiles
// are done. So the grid is read and written once, but for the rims.
#include <cuda_pipeline.h>
#include <stdint.h>

constexpr int kRows = 32, kColumns = 512, kThreads = 256, kFront = 4, kPitch = kColumns + 2 * kFront;

struct Tile {
  int top, left, rows, columns;

  __device__ Tile(int H, int W)
      : top(blockIdx.y * kRows), left(blockIdx.x * kColumns), rows(min(kRows, H - top)), columns(min(kColumns, W - left)) {}
};

__device__ bool is_inner(int i, int j, int H, int W) { return i > 0 && i < H - 1 && j > 0 && j < W - 1; }

__device__ float relaxed(const float* at, int64_t pitch, float source) {
  return 0.25f * ((at[-pitch] + at[pitch]) + (at[-1] + at[1]) + source);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    relax_tiles(float* u, const float* __restrict__ f, const float* __restrict__ h2, int H, int W) {
  extern __shared__ float4 storage[];
  const auto points = reinterpret_cast<float(*)[kPitch]>(storage);
  const Tile tile(H, W);
  const bool in_fours = W % 4 == 0;
  const float area = *h2;
  for (int r = -1; r <= tile.rows; ++r) {
    const int i = tile.top + r;
    if (i < 0 || i >= H) continue;
    const float* row = u + (int64_t)i * W + tile.left;
    float* to = points[r + 1] + kFront;
    if (in_fours) {
      const int c = threadIdx.x % (kThreads / 2) * 4;
      if (threadIdx.x / (kThreads / 2) == (r & 1) && c < tile.columns) __pipeline_memcpy_async(to + c, row + c, 16);
    } else {
      for (int c = threadIdx.x; c < tile.columns; c += kThreads) __pipeline_memcpy_async(to + c, row + c, 4);
    }
    if (threadIdx.x == 0 && tile.left > 0) __pipeline_memcpy_async(to - 1, row - 1, 4);
    if (threadIdx.x == 1 && tile.left + tile.columns < W) __pipeline_memcpy_async(to + tile.columns, row + tile.columns, 4);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int colour = 0; colour < 2; ++colour) {
#pragma unroll 8
    for (int r = colour; r < tile.rows - colour; ++r) {
      const int i = tile.top + r, c = 2 * threadIdx.x + ((i + colour) & 1), j = tile.left + c;
      if (c < colour || c >= tile.columns - colour || !is_inner(i, j, H, W)) continue;
      float* at = points[r + 1] + kFront + c;
      *at = relaxed(at, kPitch, area * f[(int64_t)i * W + j]);
    }
    __syncthreads();
  }
  for (int r = 0; r < tile.rows; ++r) {
    float* row = u + (int64_t)(tile.top + r) * W + tile.left;
    const float* from = points[r + 1] + kFront;
    if (in_fours) {
      const int c = threadIdx.x % (kThreads / 2) * 4;
      if (threadIdx.x / (kThreads / 2) == (r & 1) && c < tile.columns)
        *reinterpret_cast<float4*>(row + c) = *reinterpret_cast<const float4*>(from + c);
    } else {
      for (int c = threadIdx.x; c < tile.columns; c += kThreads) row[c] = from[c];
    }
  }
}

// Rims of a single row or column are gone through twice, with the same result: a black point does not depend on itself.
extern "C" __global__ void relax_rims(float* u, const float* __restrict__ f, const float* __restrict__ h2, int H, int W) {
  const Tile tile(H, W);
  const float area = *h2;
#pragma unroll 2
  for (int e = threadIdx.x; e < 2 * (tile.rows + tile.columns); e += kThreads) {
    const bool in_row = e < 2 * tile.columns;
    const int k = in_row ? e : e - 2 * tile.columns, length = in_row ? tile.columns : tile.rows;
    const int along = k % length, across = k < length ? 0 : (in_row ? tile.rows : tile.columns) - 1;
    const int i = tile.top + (in_row ? across : along), j = tile.left + (in_row ? along : across);
    if ((i + j) % 2 == 0 || !is_inner(i, j, H, W)) continue;
    const int64_t at = (int64_t)i * W + j;
    u[at] = relaxed(u + at, W, area * f[at]);
  }
}
