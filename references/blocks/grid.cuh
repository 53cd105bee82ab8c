// SPDX-License-Identifier: Apache-2.0
// Grids whose inner points follow from those around them, and whose outermost points are copied. A thread has four neighbouring columns at
// once where rows are a multiple of that, else one after the other four that are 32 apart.
#pragma once

#include <stdint.h>

constexpr int kLanes = 32, kWarps = 8, kColumns = 4;

template <int n>
__device__ void load(const float* from, float* to) {
  if constexpr (n == 4) {
    const float4 v = *reinterpret_cast<const float4*>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
  } else if constexpr (n == 2) {
    const float2 v = *reinterpret_cast<const float2*>(from);
    to[0] = v.x;
    to[1] = v.y;
  } else {
    to[0] = *from;
  }
}

template <int n>
__device__ void store(const float (&from)[n], float* to) {
  if constexpr (n == 4) *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
  else to[0] = from[0];
}

// n neighbouring numbers of a row from column j on, with `reach` more on each side of them; outside of the row these are 0.
template <int n, int reach = 1>
struct Line {
  float v[n + 2 * reach] = {};

  __device__ Line() {}
  __device__ Line(const float* row, int j, int W) {
    load<n>(row + j, v + reach);
    if constexpr (n == 4) {
      if (j > 0) load<reach>(row + j - reach, v);
      if (j + n < W) load<reach>(row + j + n, v + n + reach);
    } else {
      for (int k = 1; k <= reach; ++k) {
        if (j >= k) v[reach - k] = row[j - k];
        if (j + k < W) v[reach + k] = row[j + k];
      }
    }
  }
  __device__ float operator[](int c) const { return v[c + reach]; }
  __device__ float sides(int c) const { return v[c + reach - 1] + v[c + reach + 1]; }
};

template <int n, int reach>
__device__ Line<n, reach> operator+(const Line<n, reach>& a, const Line<n, reach>& b) {
  Line<n, reach> sum;
  for (int c = 0; c < n + 2 * reach; ++c) sum.v[c] = a.v[c] + b.v[c];
  return sum;
}

// Calls use.columns<n>(j) for all columns of a thread.
template <class Use>
__device__ void each_column(int W, const Use& use) {
  if (W % kColumns == 0) {
    const int j = (blockIdx.x * kLanes + threadIdx.x) * kColumns;
    if (j < W) use.template columns<kColumns>(j);
    return;
  }
  for (int k = 0; k < kColumns; ++k) {
    const int j = (blockIdx.x * kColumns + k) * kLanes + threadIdx.x;
    if (j < W) use.template columns<1>(j);
  }
}

// The lines above, at and below n points.
template <int n>
struct Around {
  const Line<n>&above, &own, &below;

  __device__ float straight(int c) const { return (above[c] + below[c]) + own.sides(c); }
  __device__ float diagonal(int c) const { return above.sides(c) + below.sides(c); }
};

// What a step does to the outermost points, where it does not say so itself.
struct CopiesEdges {
  __device__ float edge(float own, int64_t) const { return own; }
};

template <class Step>
struct RowsOfThread {
  static constexpr int kRows = 4;

  const float* x;
  float* y;
  int H, W, first;
  const Step& step;

  template <int n>
  __device__ void columns(int j) const {
    Line<n> lines[kRows + 2];
    float to[kRows][n];
#pragma unroll
    for (int r = 0; r < kRows + 2; ++r) lines[r] = Line<n>(x + (int64_t)min(max(first + r - 1, 0), H - 1) * W, j, W);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int i = min(first + r, H - 1);
      const int64_t at = (int64_t)i * W + j;
      step.line(Around<n>{lines[r], lines[r + 1], lines[r + 2]}, at, to[r]);
      for (int c = 0; c < n; ++c)
        if (i == 0 || i == H - 1 || j + c == 0 || j + c == W - 1) to[r][c] = step.edge(lines[r + 1][c], at + c);
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      if (first + r < H) store(to[r], y + (int64_t)(first + r) * W + j);
  }
};

// y from x[H, W]: step.line(around, at, to) gives n inner points, of which `at` is the place of the first, and step.edge(own, at) an outer
// one. All of a thread's points are read before the first is written. For a grid [div_up(W, 128), div_up(H, 32)] of blocks [32, 8].
template <class Step>
__device__ void step_rows(const float* x, float* y, int H, int W, const Step& step) {
  const int first = (blockIdx.y * kWarps + threadIdx.y) * RowsOfThread<Step>::kRows;
  if (first < H) each_column(W, RowsOfThread<Step>{x, y, H, W, first, step});
}

// A row's line and the sum of those above and below it, in one plane.
template <int n>
struct Slice {
  Line<n> own, beside;
};

template <class Step>
struct PlanesOfThread {
  static constexpr int kPlanes = 16;

  const float* x;
  float* y;
  int D, H, W, i, begin, end;
  const Step& step;

  template <int n>
  __device__ Slice<n> slice(int d, int j) const {
    const float* row = x + ((int64_t)d * H + i) * W;
    return {Line<n>(row, j, W), Line<n>(i > 0 ? row - W : row, j, W) + Line<n>(i < H - 1 ? row + W : row, j, W)};
  }
  template <int n>
  __device__ void columns(int j) const {
    Slice<n> front = slice<n>(max(begin - 1, 0), j), middle = slice<n>(begin, j);
#pragma unroll 2
    for (int d = begin; d < end; ++d) {
      const Slice<n> back = slice<n>(min(d + 1, D - 1), j);
      float to[n];
      step.line(front, middle, back, to);
      const bool outer = d == 0 || d == D - 1 || i == 0 || i == H - 1;
      for (int c = 0; c < n; ++c)
        if (outer || j + c == 0 || j + c == W - 1) to[c] = middle.own[c];
      store(to, y + ((int64_t)d * H + i) * W + j);
      front = middle;
      middle = back;
    }
  }
};

// y from x[D, H, W]: step.line(front, middle, back, to) gives n inner points of a plane by three slices. A thread goes through 16 planes.
// For a grid [div_up(W, 128), div_up(H, 8), div_up(D, 16)] of blocks [32, 8].
template <class Step>
__device__ void step_planes(const float* x, float* y, int D, int H, int W, const Step& step) {
  const int i = blockIdx.y * kWarps + threadIdx.y, begin = blockIdx.z * PlanesOfThread<Step>::kPlanes;
  if (i < H) each_column(W, PlanesOfThread<Step>{x, y, D, H, W, i, begin, min(begin + PlanesOfThread<Step>::kPlanes, D), step});
}
