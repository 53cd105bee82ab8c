// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 x 64 floats in shared memory, [depth][row or column], and the sums that a block of 256 threads makes of two of them: a thread
// has 4 x 4 in registers.
#pragma once

constexpr int kSide = 64, kWide = kSide + 4, kPart = 4, kAcross = kSide / kPart, kThreads = kAcross * kAcross;
using Tile = float (*)[kWide];

// The first row and column of a thread's sums.
struct Corner {
  int x = threadIdx.x % kAcross * kPart, y = threadIdx.x / kAcross * kPart;
};

// tile[depth][column] = from[depth * stride + column] * factor(depth), and 0 outside.
template <class Factor>
__device__ void load(Tile tile, const float* from, long long depths, long long columns, long long stride, Factor factor) {
  for (int e = threadIdx.x; e < kSide * kSide; e += kThreads) {
    const int depth = e / kSide, column = e % kSide;
    tile[depth][column] = depth < depths && column < columns ? from[depth * stride + column] * factor(depth) : 0;
  }
}
__device__ void load(Tile tile, const float* from, long long depths, long long columns, long long stride) {
  load(tile, from, depths, columns, stride, [](int) { return 1.0f; });
}

// tile[depth][row] = factor * from[row * stride + depth], and 0 outside.
__device__ void load_turned(Tile tile, const float* from, long long rows, long long depths, long long stride, float factor = 1) {
  for (int e = threadIdx.x; e < kSide * kSide; e += kThreads) {
    const int row = e / kSide, depth = e % kSide;
    tile[depth][row] = row < rows && depth < depths ? factor * from[row * stride + depth] : 0;
  }
}

// sum += left^T right.
__device__ void multiply(float (&sum)[kPart][kPart], Tile left, Tile right, int depths, Corner at) {
#pragma unroll 8
  for (int d = 0; d < depths; ++d) {
    const float4 a = *reinterpret_cast<const float4*>(&left[d][at.y]), b = *reinterpret_cast<const float4*>(&right[d][at.x]);
    const float rows[kPart] = {a.x, a.y, a.z, a.w}, columns[kPart] = {b.x, b.y, b.z, b.w};
    for (int i = 0; i < kPart; ++i)
      for (int j = 0; j < kPart; ++j) sum[i][j] = fmaf(rows[i], columns[j], sum[i][j]);
  }
}

// tile[column][row] = the threads' sums.
__device__ void store_turned(Tile tile, const float (&sum)[kPart][kPart], Corner at) {
  for (int j = 0; j < kPart; ++j)
    *reinterpret_cast<float4*>(&tile[at.x + j][at.y]) = make_float4(sum[0][j], sum[1][j], sum[2][j], sum[3][j]);
}
