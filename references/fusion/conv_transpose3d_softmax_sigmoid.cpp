// SPDX-License-Identifier: Apache-2.0
// One plane at a time: the innermost loop runs along a row of the image.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float sigmoid(float z) { return 1.0f / (1.0f + std::exp(-z)); }

// One output channel of one sample.
std::vector<float> plane(const float* x, const float* w, float bias, int64_t C, int64_t O, int64_t D, int64_t H, int64_t W, int64_t OD, int64_t OH, int64_t OW) {
  std::vector<float> sum(OD * OH * OW, bias);
  for (int64_t c = 0; c < C; ++c) {
    for (int64_t kd = 0; kd < 3; ++kd) {
      for (int64_t kh = 0; kh < 3; ++kh) {
        for (int64_t kw = 0; kw < 3; ++kw) {
          const float weight = w[c * O * 3 * 3 * 3 + (kd * 3 + kh) * 3 + kw];
          for (int64_t d = 0; d < D; ++d) {
            const int64_t od = 2 * d + kd - 1;
            if (od < 0 || od >= OD) continue;
            for (int64_t h = 0; h < H; ++h) {
              const int64_t oh = 2 * h + kh - 1;
              if (oh < 0 || oh >= OH) continue;
              const float* from = x + ((c * D + d) * H + h) * W;
              float* to = &sum[(od * OH + oh) * OW];
              for (int64_t column = 0; column < W; ++column) {
                const int64_t o = 2 * column + kw - 1;
                if (o >= 0 && o < OW) to[o] += weight * from[column];
              }
            }
          }
        }
      }
    }
  }
  return sum;
}

}  // namespace

extern "C" void conv_transpose3d_softmax_sigmoid(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O, int64_t OD, int64_t OH, int64_t OW) {
  const int64_t size = OD * OH * OW;
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    std::vector<std::vector<float>> channel;
    for (int64_t o = 0; o < O; ++o) channel.push_back(plane(x + n * C * D * H * W, w + o * 3 * 3 * 3, b[o], C, O, D, H, W, OD, OH, OW));
    for (int64_t i = 0; i < size; ++i) {
      float top = channel[0][i];
      for (int64_t o = 1; o < O; ++o) top = std::max(top, channel[o][i]);
      float total = 0.0f;
      for (int64_t o = 0; o < O; ++o) total += channel[o][i] = std::exp(channel[o][i] - top);
      for (int64_t o = 0; o < O; ++o) {
        const float z = channel[o][i] / total;
        y[(n * O + o) * size + i] = sigmoid(z);
      }
    }
  }
}
