// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [div_up(N * OH * OW, 64), div_up(O, 64)] block [128]
                 (x, w, b, y, N, int(C), int(H), int(W), O, int(OH), int(OW))
*/
#include "blocks/convolution.cuh"

__device__ float gelu(float z) { return 0.5f * z * (1 + erff(z * 0.70710678118654752f)); }

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    convolve(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, long long N,
             int C, int H, int W, long long O, int OH, int OW) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile, pixels = N * OH * OW;
  const long long plane = (long long)OH * OW, depth = C * 9ll;
  const auto whole = multiply<1>(Rows(w, m0, O, depth), Window3x3(x, n0, pixels, C, H, W, OH, OW), 0, depth);
  store_channels(whole, y, m0, O, n0, pixels, plane, [&](float sum, long long o) { return gelu(sum + b[o]); });
}
