// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attract grid [div_up(N, 32)] block [1024] (positions, masses, accelerations, N)
*/
#include "blocks/pairs.cuh"

struct Gravity {
  static __device__ float of(float distance2, float mass) {
    const float inverse = fast_reciprocal_root(distance2 + 0.01f);
    return inverse * inverse * inverse * mass;
  }
};

extern "C" __global__ void __launch_bounds__(kThreads)
    attract(const float* __restrict__ positions, const float* __restrict__ masses, float* __restrict__ accelerations, int64_t N) {
  pull_all<Gravity>(positions, masses, accelerations, N);
}
