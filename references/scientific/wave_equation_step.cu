// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(W, 128), div_up(H, 32)] block [32, 8] (u_prev, u, k, int(H), int(W))
*/
#include "blocks/grid.cuh"

struct Wave {
  const float *before, *k;

  // What is read here is written by this thread alone, and later.
  template <int n>
  __device__ void line(const Around<n>& u, int64_t at, float (&to)[n]) const {
    float stiffness[n], was[n];
    load<n>(k + at, stiffness);
    load<n>(before + at, was);
    for (int c = 0; c < n; ++c) to[c] = 2 * u.own[c] - was[c] + stiffness[c] * (u.straight(c) - 4 * u.own[c]);
  }
  __device__ float edge(float, int64_t at) const { return before[at]; }
};

extern "C" __global__ void step(float* u_prev, const float* __restrict__ u, const float* __restrict__ k, int H, int W) {
  step_rows(u, u_prev, H, W, Wave{u_prev, k});
}
