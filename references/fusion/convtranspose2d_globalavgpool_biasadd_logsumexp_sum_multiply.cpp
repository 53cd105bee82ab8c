// SPDX-License-Identifier: Apache-2.0
// The mean of an image of the transposed convolution is a sum over channels and taps of a weight times the sum of the channel's image.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

double sum_of(const float* z, int64_t size) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  return sum;
}

float log_sum_exp(const std::vector<float>& z) {
  const float top = *std::max_element(z.begin(), z.end());
  double sum = 0;
  for (const float each : z) sum += blocks::exp(each - top);
  return top + static_cast<float>(std::log(sum));
}

}  // namespace

extern "C" void convtranspose2d_globalavgpool_biasadd_logsumexp_sum_multiply(const float* x, const float* w, const float* b, const float* v,
                                                                             float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                                                             int64_t O) {
  const int64_t size = (H + 2) * (W + 2);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    std::vector<double> sums(O);
    for (int64_t c = 0; c < C; ++c) {
      const double seen = sum_of(x + (n * C + c) * H * W, H * W);
      for (int64_t i = 0; i < O * 9; ++i) sums[i / 9] += w[c * O * 9 + i] * seen;
    }
    std::vector<float> means(O);
    for (int64_t o = 0; o < O; ++o) means[o] = static_cast<float>(b[o] + sums[o] / size) + v[o];
    y[n] = 10 * log_sum_exp(means);
  }
}
