// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel stencil grid [div_up(W, 128 - 96 * min(W % 4, 1)), div_up(H, 16), div_up(D, 32)] block [32, 16]
                  (x, weights, y, int(D), int(H), int(W))
*/
// A block goes through up to 32 planes of a tile. A thread keeps what lies in front of its points and behind them in registers; what lies
// beside them in the plane it is at, all threads keep in shared memory. It has four neighbouring columns where rows are a multiple of that.
#include <stdint.h>

constexpr int kReach = 4, kAll = 2 * kReach + 1, kLanes = 32, kRows = 16, kPlanes = 32, kTileRows = kRows + 2 * kReach;

template <int n>
__device__ void copy(float* to, const float* from) {
  if constexpr (n == 4) *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
  else *to = *from;
}

// Coordinates `row` and `column` of the tile are those of the halo's grid from the block's first point on.
template <int n>
__device__ void go(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int D, int H, int W) {
  constexpr int kColumns = kLanes * n, kTileColumns = kColumns + 2 * kReach;
  alignas(16) __shared__ float tiles[2][kTileRows][kTileColumns];
  const int begin = blockIdx.z * kPlanes, end = min(begin + kPlanes, D), top = blockIdx.y * kRows, left = blockIdx.x * kColumns;
  const int i = top + threadIdx.y, j = left + threadIdx.x * n, pitch = W + 2 * kReach;
  const int64_t plane = (int64_t)(H + 2 * kReach) * pitch;
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3], w4 = weights[4];
  const int row = threadIdx.y + kReach, column = threadIdx.x * n + kReach;
  // Points beyond the results may be neighbours of some.
  const bool is_there = top + row < H + 2 * kReach && left + column < pitch;
  const bool is_wanted = i < H && j < W;
  // The eight rows and the eight columns around the tile, but for the corners.
  const int rim_row = threadIdx.y < kReach ? threadIdx.y : threadIdx.y + kRows;
  const bool has_rim_row = threadIdx.y < 2 * kReach && top + rim_row < H + 2 * kReach && left + column < pitch;
  const int rim_column = threadIdx.x * n < kReach ? threadIdx.x * n : threadIdx.x * n + kColumns;
  const bool has_rim_column = threadIdx.x * n < 2 * kReach && left + rim_column < pitch && top + row < H + 2 * kReach;
  x += begin * plane + (int64_t)top * pitch + left;
  alignas(16) float line[kAll][n] = {}, next[n] = {};
  if (is_there)
#pragma unroll
    for (int k = 0; k < kAll; ++k) copy<n>(line[k], x + k * plane + (int64_t)row * pitch + column);
  int side = 0;
  for (int d = begin; d < end; ++d, x += plane, side ^= 1) {
    const float* middle = x + kReach * plane;
    const auto tile = tiles[side];
    copy<n>(&tile[row][column], line[kReach]);
    if (has_rim_row) copy<n>(&tile[rim_row][column], middle + (int64_t)rim_row * pitch + column);
    if (has_rim_column) copy<n>(&tile[row][rim_column], middle + (int64_t)row * pitch + rim_column);
    if (is_there && d + 1 < end) copy<n>(next, x + kAll * plane + (int64_t)row * pitch + column);
    __syncthreads();
    if (is_wanted) {
      alignas(16) float own[n + 2 * kReach], sum[n];
#pragma unroll
      for (int part = 0; part < n + 2 * kReach; part += n) copy<n>(own + part, &tile[row][column - kReach + part]);
      for (int c = 0; c < n; ++c) sum[c] = w0 * own[kReach + c];
#pragma unroll
      for (int k = 1; k <= kReach; ++k) {
        const float weight = k == 1 ? w1 : k == 2 ? w2 : k == 3 ? w3 : w4;
        alignas(16) float north[n], south[n];
        copy<n>(north, &tile[row - k][column]);
        copy<n>(south, &tile[row + k][column]);
        for (int c = 0; c < n; ++c)
          sum[c] += weight * ((line[kReach - k][c] + line[kReach + k][c]) + (north[c] + south[c]) +
                              (own[kReach + c - k] + own[kReach + c + k]));
      }
      copy<n>(y + ((int64_t)d * H + i) * W + j, sum);
    }
#pragma unroll
    for (int k = 0; k + 1 < kAll; ++k)
      for (int c = 0; c < n; ++c) line[k][c] = line[k + 1][c];
    for (int c = 0; c < n; ++c) line[kAll - 1][c] = next[c];
  }
}

extern "C" __global__ void __launch_bounds__(kLanes* kRows, 2)
    stencil(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int D, int H, int W) {
  if (W % 4 == 0) go<4>(x, weights, y, D, H, W);
  else go<1>(x, weights, y, D, H, W);
}
