// SPDX-License-Identifier: Apache-2.0
// From 3 on Stirling's series, in which, written as here, nothing cancels; below a polynomial times (x - 1) (x - 2), near
// whose zeros no digits are lost. Below 1 that is taken at x + 1, and log(x) subtracted.
#include "blocks/vector_math.h"

#include "kernel.h"

namespace {

/// log_gamma(2 + v) / ((v + 1) v) for |v| <= 1, fitted for the smallest relative error.
float over_zeros(float v) {
  constexpr float c[] = {-3.8883118e-05f, 7.8262325e-05f, -5.2045918e-05f, 0.00013043285f, -0.0004259084f, 0.0009444562f,
                         -0.0021019303f,  0.0049915095f,  -0.012384996f,   0.03296563f,    -0.10031727f,   0.42278433f};
  float p = c[0];
  for (int k = 1; k < 12; ++k) p = p * v + c[k];
  return p;
}

float stirling(float x, float logarithm) {
  const float q = 1 / x, r = q * q;
  const float series = q * (1.0f / 12 - r * (1.0f / 360 - r * (1.0f / 1260 - r * (1.0f / 1680 - r / 1188))));
  return (x - 0.5f) * (logarithm - 1) + 0.41893853f + series;
}

float log_gamma_of(float x) {
  const float logarithm = blocks::log(x);
  const float v = x < 1 ? x - 1 : x - 2, above = x < 1 ? x : x - 1;  // of x + 1 where x is below 1
  const float near = above * v * over_zeros(v) - (x < 1 ? logarithm : 0);
  return x < 3 ? near : stirling(x, logarithm);
}

}  // namespace

void log_gamma(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = log_gamma_of(x[i]);
}
