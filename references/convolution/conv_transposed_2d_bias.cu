// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [N * div_up((H + 2) * (W + 2), 64) * div_up(O, 64)] block [128] (x, w, b, y, int(C), int(H), int(W), O)
*/
#include "blocks/taps.cuh"

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    convolve(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, int C, int H,
             int W, long long O) {
  convolve_transposed<2>(x, w, y, C, H, W, O, [&](long long o) { return b[o]; });
}
