// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel stencil grid [div_up(W, 128), div_up(H, 32)] block [32, 8] (x, y, int(H), int(W))
*/
#include "blocks/grid.cuh"

struct FivePoints : CopiesEdges {
  template <int n>
  __device__ void line(const Around<n>& x, int64_t, float (&to)[n]) const {
    for (int c = 0; c < n; ++c) to[c] = 0.5f * x.own[c] + 0.125f * x.straight(c);
  }
};

extern "C" __global__ void stencil(const float* __restrict__ x, float* __restrict__ y, int H, int W) {
  step_rows(x, y, H, W, FivePoints());
}
