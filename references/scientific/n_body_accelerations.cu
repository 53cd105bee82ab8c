// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attract grid [div_up(N, 32)] block [1024] (positions, masses, accelerations, N)
*/
#include "blocks/pairs.cuh"

struct Gravity {
  static constexpr float kSoftening = 0.01f;

  static __device__ float of(float softened, float mass) {
    const float inverse = fast_reciprocal_root(softened);
    return inverse * inverse * inverse * mass;
  }
};

extern "C" __global__ void __launch_bounds__(kThreads)
    attract(const float* __restrict__ positions, const float* __restrict__ masses, float* __restrict__ accelerations, int64_t N) {
  pull_all<Gravity>(positions, masses, accelerations, N);
}
