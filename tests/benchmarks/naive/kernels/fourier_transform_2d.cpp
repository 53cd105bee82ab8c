// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

void fourier_transform_2d(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  std::vector<double> cos_m(M), sin_m(M), cos_n(N), sin_n(N);
  for (int64_t m = 0; m < M; ++m) {
    cos_m[m] = std::cos(-2 * M_PI * m / M);
    sin_m[m] = std::sin(-2 * M_PI * m / M);
  }
  for (int64_t n = 0; n < N; ++n) {
    cos_n[n] = std::cos(-2 * M_PI * n / N);
    sin_n[n] = std::sin(-2 * M_PI * n / N);
  }
  std::vector<float> columns(B * M * N * 2);
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t k = 0; k < M; ++k) {
      for (int64_t n = 0; n < N; ++n) {
        double re = 0, im = 0;
        for (int64_t m = 0; m < M; ++m) {
          double c = cos_m[k * m % M], s = sin_m[k * m % M];
          double a = x[((b * M + m) * N + n) * 2], d = x[((b * M + m) * N + n) * 2 + 1];
          re += a * c - d * s;
          im += a * s + d * c;
        }
        columns[((b * M + k) * N + n) * 2] = re;
        columns[((b * M + k) * N + n) * 2 + 1] = im;
      }
    }
  }
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t m = 0; m < M; ++m) {
      for (int64_t k = 0; k < N; ++k) {
        double re = 0, im = 0;
        for (int64_t n = 0; n < N; ++n) {
          double c = cos_n[k * n % N], s = sin_n[k * n % N];
          double a = columns[((b * M + m) * N + n) * 2], d = columns[((b * M + m) * N + n) * 2 + 1];
          re += a * c - d * s;
          im += a * s + d * c;
        }
        y[((b * M + m) * N + k) * 2] = re;
        y[((b * M + m) * N + k) * 2 + 1] = im;
      }
    }
  }
}
