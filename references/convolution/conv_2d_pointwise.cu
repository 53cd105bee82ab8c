// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [N * div_up(H * W, 64) * div_up(O, 64)] block [512] (x, w, y, int(C), int(H * W), O)
*/
#include "blocks/convolution.cuh"

// An image is a matrix with a row for each channel. Blocks side by side have the same pixels.
extern "C" __global__ void __launch_bounds__(kThreads)
    convolve(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int C, int plane, long long O) {
  const unsigned across = (plane + kTile - 1) / kTile, down = (O + kTile - 1) / kTile;
  const long long image = blockIdx.x / (across * down);
  const long long m0 = blockIdx.x % down * (long long)kTile, n0 = blockIdx.x / down % across * (long long)kTile;
  const auto whole = multiply(Rows(w, m0, O, C), Columns(x + image * C * plane, n0, plane, C), 0, C);
  store_channels(whole, y + image * O * plane, m0, O, n0, plane, plane, [](float sum, long long o) { return sum; });
}
