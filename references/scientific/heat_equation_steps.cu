// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel steps grid [div_up(W, 128), div_up(H, 32)] block [32, 8] (u, r, new_u, int(H), int(W))
*/
// Both steps at once: a thread makes the first of its points and those around them, in registers, and from these the second.
#include "blocks/grid.cuh"

struct Heat {
  static constexpr int kRows = 4;

  const float* u;
  float* new_u;
  float r;
  int H, W, first;

  template <int n, int reach>
  __device__ float moved(const Line<n, reach>& above, const Line<n, reach>& own, const Line<n, reach>& below, int i, int j, int c) const {
    if (i <= 0 || i >= H - 1 || j + c <= 0 || j + c >= W - 1) return own[c];
    return own[c] + r * ((above[c] + below[c]) + own.sides(c) - 4 * own[c]);
  }
  template <int n>
  __device__ void columns(int j) const {
    Line<n, 2> lines[kRows + 4];
    Line<n> once[kRows + 2];
#pragma unroll
    for (int k = 0; k < kRows + 4; ++k) lines[k] = Line<n, 2>(u + (int64_t)min(max(first + k - 2, 0), H - 1) * W, j, W);
#pragma unroll
    for (int k = 0; k < kRows + 2; ++k)
      for (int c = -1; c <= n; ++c) once[k].v[c + 1] = moved(lines[k], lines[k + 1], lines[k + 2], first + k - 1, j, c);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      float to[n];
      for (int c = 0; c < n; ++c) to[c] = moved(once[k], once[k + 1], once[k + 2], first + k, j, c);
      if (first + k < H) store(to, new_u + (int64_t)(first + k) * W + j);
    }
  }
};

extern "C" __global__ void steps(const float* __restrict__ u, const float* __restrict__ r, float* __restrict__ new_u, int H, int W) {
  const int first = (blockIdx.y * kWarps + threadIdx.y) * Heat::kRows;
  if (first < H) each_column(W, Heat{u, new_u, *r, H, W, first});
}
