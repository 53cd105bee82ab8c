// SPDX-License-Identifier: Apache-2.0
// The mean of an image of the transposed convolution is a sum over channels and taps of a weight times the sum of what it multiplies.
#include <vector>

#include "kernel.h"

namespace {

/// To out[tap], the sum of what each of the 3 by 3 taps sees of an image: with a padding of 1, the first row of taps does not see its
/// first row, and the first column of taps not its first column.
void sum_seen(const float* image, int64_t H, int64_t W, double* out) {
  double sums[2][2] = {};  // the corner, the rest of the first row; the rest of the first column, the rest
  for (int64_t h = 0; h < H; ++h) {
    const float* row = image + h * W;
    double rest = 0;
#pragma omp simd reduction(+ : rest)
    for (int64_t i = 1; i < W; ++i) rest += row[i];
    sums[h > 0][0] += row[0];
    sums[h > 0][1] += rest;
  }
  for (int64_t tap = 0; tap < 9; ++tap) {
    out[tap] = 0;
    for (int64_t h = tap < 3; h < 2; ++h)
      for (int64_t i = tap % 3 == 0; i < 2; ++i) out[tap] += sums[h][i];
  }
}

}  // namespace

extern "C" void conv_transpose2d_multiply_global_avg_pool_global_avg_pool_mean(const float* x, const float* w, const float* b, float* y,
                                                                               int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (2 * H) * (2 * W);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    std::vector<double> sums(O);
    for (int64_t c = 0; c < C; ++c) {
      double seen[9];
      sum_seen(x + (n * C + c) * H * W, H, W, seen);
      for (int64_t o = 0; o < O; ++o)
        for (int64_t tap = 0; tap < 9; ++tap) sums[o] += w[(c * O + o) * 9 + tap] * seen[tap];
    }
    for (int64_t o = 0; o < O; ++o) y[n * O + o] = static_cast<float>((b[o] + sums[o] / size) / 2);
  }
}
