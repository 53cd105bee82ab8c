// SPDX-License-Identifier: Apache-2.0
// A channel's planes one by one: the cache keeps one for both of its passes.
#include "kernel.h"

extern "C" void adaptive_instance_norm_backward(const float* dy, const float* x, const float* weight, const float* mean,
                                                const float* deviation, float* dx, float* dweight, float* dbias, int64_t N, int64_t C,
                                                int64_t H, int64_t W) {
  const int64_t plane = H * W;
  const auto count = static_cast<float>(plane);
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < C; ++c) {
    dweight[c] = dbias[c] = 0;
    for (int64_t n = 0; n < N; ++n) {
      const int64_t at = n * C + c;
      const float *g = dy + at * plane, *in = x + at * plane, middle = mean[at], inverse = 1 / deviation[at];
      float* __restrict out = dx + at * plane;
      float sum = 0, u_sum = 0;
#pragma omp simd reduction(+ : sum, u_sum)
      for (int64_t i = 0; i < plane; ++i) {
        sum += g[i];
        u_sum += g[i] * ((in[i] - middle) * inverse);
      }
      dweight[c] += u_sum;
      dbias[c] += sum;
      const float factor = weight[c] * inverse, along = u_sum / count, common = sum / count;
      for (int64_t i = 0; i < plane; ++i) out[i] = factor * (g[i] - (common + (in[i] - middle) * inverse * along));
    }
  }
}
