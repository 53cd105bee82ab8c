// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pad grid [div_up(N * (T + H + B), 8)] block [256] (x, y, N, H, int(W), T, B, int(L), int(R))
*/
#include "blocks/padded_rows.cuh"

template <class Place>
__device__ Place mirrored(Place place, Place size) {
  return place < 0 ? -place : place < size ? place : 2 * (size - 1) - place;
}

extern "C" __global__ void pad(const float* __restrict__ x, float* __restrict__ y, long long N, long long H, int W, long long T,
                               long long B, int L, int R) {
  write_row(y, N, T + H + B, L + W + R,
            [=](long long n, long long h, int w) { return x[(n * H + mirrored(h - T, H)) * W + mirrored(w - L, W)]; });
}
