// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [N * div_up(H * W, 64) * div_up(O, 64)] block [128] (x, w, y, int(C), int(H * W), O)
*/
#include "blocks/product.cuh"

// An image is a matrix with a row for each channel. Blocks side by side have the same pixels.
extern "C" __global__ void __launch_bounds__(kGroup, 4)
    convolve(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int C, int plane, long long O) {
  const unsigned across = (plane + kTile - 1) / kTile, down = (O + kTile - 1) / kTile;
  const long long image = blockIdx.x / (across * down);
  const long long m0 = blockIdx.x % down * (long long)kTile, n0 = blockIdx.x / down % across * (long long)kTile;
  multiply_alone(Rows(w, m0, O, C), Columns(x + image * C * plane, n0, plane, C), C, StoreRows(y + image * O * plane, m0, O, n0, plane));
}
