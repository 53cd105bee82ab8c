// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch hidden: float[M * H]
   kernel hidden_layer grid [div_up(H, 64), div_up(M, 64)] block [128] (x, w1, b1, hidden, M, C, H)
   kernel output_layer grid [div_up(D, 64), div_up(M, 64)] block [256] (hidden, w2, b2, y, M, H, D)
*/
#include "blocks/feed_forward.cuh"

// What is not below zero stays, NaN with it.
struct Relu {
  __device__ static float of(float z) { return z < 0 ? 0 : z; }
};

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    hidden_layer(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ hidden,
                 long long M, long long C, long long H) {
  compute_hidden<Relu>(x, w, b, hidden, M, C, H);
}

extern "C" __global__ void __launch_bounds__(2 * kGroup, 2)
    output_layer(const float* __restrict__ hidden, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y,
                 long long M, long long H, long long D) {
  compute_output(hidden, w, b, y, M, H, D);
}
