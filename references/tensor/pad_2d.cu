// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pad grid [div_up(N * (T + H + B), 8)] block [256] (x, value, y, N, H, int(W), T, B, int(L), int(R))
*/
// Something is read for each result, the nearest number for those around the matrix, so that no read waits for a branch.
#include "blocks/padded_rows.cuh"

extern "C" __global__ void pad(const float* __restrict__ x, const float* __restrict__ value, float* __restrict__ y, long long N,
                               long long H, int W, long long T, long long B, int L, int R) {
  const float around = *value;
  write_row(y, N, T + H + B, L + W + R, [=](long long n, long long h, int w) {
    const long long row = min(max(h - T, 0ll), H - 1);
    const int column = min(max(w - L, 0), W - 1);
    const float nearest = x[(n * H + row) * W + column];
    return (row == h - T) & (column == w - L) ? nearest : around;
  });
}
