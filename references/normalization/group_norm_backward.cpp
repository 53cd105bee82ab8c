// SPDX-License-Identifier: Apache-2.0
// A group at a time, which the cache keeps. Each plane's sums of dy and dy u serve the group, by their weights, and then their channel.
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void group_norm_backward(const float* x, const float* weight, const float* dy, float* dx, float* dweight, float* dbias,
                                    int64_t N, int64_t G, int64_t C, int64_t H, int64_t W) {
  const int64_t plane = H * W, size = C * plane, channels = G * C;
  const auto count = static_cast<float>(size);
  std::vector<float> sums(N * channels), u_sums(N * channels);
#pragma omp parallel for schedule(static)
  for (int64_t group = 0; group < N * G; ++group) {
    const float *in = x + group * size, *g = dy + group * size;
    float sum = 0, squares = 0, w_mean = 0, wu_mean = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < size; ++i) sum += in[i];
    const float mean = sum / count;
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < size; ++i) squares += (in[i] - mean) * (in[i] - mean);
    const float rstd = 1 / std::sqrt(squares / count + 1e-5f);
    const float* scale = weight + group % G * C;
    for (int64_t c = 0; c < C; ++c) {
      float own = 0, own_u = 0;
#pragma omp simd reduction(+ : own, own_u)
      for (int64_t i = c * plane; i < (c + 1) * plane; ++i) {
        own += g[i];
        own_u += g[i] * ((in[i] - mean) * rstd);
      }
      sums[group * C + c] = own;
      u_sums[group * C + c] = own_u;
      w_mean += scale[c] * own / count;
      wu_mean += scale[c] * own_u / count;
    }
    float* out = dx + group * size;
    for (int64_t c = 0; c < C; ++c)
      for (int64_t i = c * plane; i < (c + 1) * plane; ++i) out[i] = rstd * (scale[c] * g[i] - (w_mean + (in[i] - mean) * rstd * wu_mean));
  }
  for (int64_t c = 0; c < channels; ++c) {
    dweight[c] = dbias[c] = 0;
    for (int64_t n = 0; n < N; ++n) {
      dweight[c] += u_sums[n * channels + c];
      dbias[c] += sums[n * channels + c];
    }
  }
}
