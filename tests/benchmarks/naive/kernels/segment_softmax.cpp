// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void segment_softmax(const float* x, const int64_t* offsets, float* y, int64_t H, int64_t T, int64_t P) {
#pragma omp parallel for
  for (int64_t h = 0; h < H; ++h) {
    for (int64_t b = 0; b < P - 1; ++b) {
      float most = -INFINITY;
      for (int64_t t = offsets[b]; t < offsets[b + 1]; ++t) {
        if (x[h * T + t] > most) most = x[h * T + t];
      }
      float sum = 0;
      for (int64_t t = offsets[b]; t < offsets[b + 1]; ++t) {
        y[h * T + t] = std::exp(x[h * T + t] - most);
        sum += y[h * T + t];
      }
      for (int64_t t = offsets[b]; t < offsets[b + 1]; ++t) y[h * T + t] /= sum;
    }
  }
}
