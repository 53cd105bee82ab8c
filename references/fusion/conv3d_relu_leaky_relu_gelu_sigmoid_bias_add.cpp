// SPDX-License-Identifier: Apache-2.0
// One plane at a time: the innermost loop runs along a row of the image.
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

// erfc, since 1 + erf(z) loses digits where z is negative.
float gelu(float z) { return 0.5f * z * std::erfc(-z * 0.70710678f); }

float sigmoid(float z) { return 1.0f / (1.0f + std::exp(-z)); }

float relu(float z) { return z < 0.0f ? 0.0f : z; }

// One output channel of one sample.
std::vector<float> plane(const float* x, const float* w, float bias, int64_t C, int64_t D, int64_t H, int64_t W, int64_t OD, int64_t OH, int64_t OW) {
  std::vector<float> sum(OD * OH * OW, bias);
  for (int64_t c = 0; c < C; ++c) {
    for (int64_t kd = 0; kd < 3; ++kd) {
      for (int64_t kh = 0; kh < 3; ++kh) {
        for (int64_t kw = 0; kw < 3; ++kw) {
          const float weight = w[c * 3 * 3 * 3 + (kd * 3 + kh) * 3 + kw];
          for (int64_t d = 0; d < OD; ++d) {
            for (int64_t h = 0; h < OH; ++h) {
              const float* from = x + ((c * D + d + kd) * H + h + kh) * W + kw;
              float* to = &sum[(d * OH + h) * OW];
              for (int64_t column = 0; column < OW; ++column) to[column] += weight * from[column];
            }
          }
        }
      }
    }
  }
  return sum;
}

}  // namespace

extern "C" void conv3d_relu_leaky_relu_gelu_sigmoid_bias_add(const float* x, const float* w, const float* b, const float* v, float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O, int64_t OD, int64_t OH, int64_t OW) {
  const int64_t size = OD * OH * OW;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t o = 0; o < O; ++o) {
      const std::vector<float> sum = plane(x + n * C * D * H * W, w + o * C * 3 * 3 * 3, b[o], C, D, H, W, OD, OH, OW);
      for (int64_t i = 0; i < size; ++i) {
        const float z = sum[i];
        y[(n * O + o) * size + i] = sigmoid(gelu(relu(z))) + v[o];
      }
    }
  }
}
