// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

void attention_step_in_place(const float* q, const float* k, const float* v, const int64_t* offset, float* largest, float* total, float* o,
                             int64_t B, int64_t G, int64_t R, int64_t N, int64_t D, int64_t S, int64_t W) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t h = 0; h < G * R; ++h) {
      int64_t g = h / R;
      for (int64_t n = 0; n < N; ++n) {
        int64_t row = (b * G * R + h) * N + n;
        std::vector<float> score(S);
        std::vector<float> weight(S);
        float new_largest = largest[row];
        for (int64_t s = 0; s < S; ++s) {
          float product = 0;
          for (int64_t d = 0; d < D; ++d) product += q[row * D + d] * k[((b * G + g) * S + s) * D + d];
          score[s] = product / std::sqrt(float(D)) * 1.4426950408889634f;
          int64_t distance = n + offset[0] - s;
          if (distance >= 0 && distance < W) {
            if (score[s] > new_largest || std::isnan(score[s])) new_largest = score[s];
          }
        }
        float fade = std::exp2(largest[row] - new_largest);
        float sum = 0;
        for (int64_t s = 0; s < S; ++s) {
          int64_t distance = n + offset[0] - s;
          weight[s] = distance >= 0 && distance < W ? std::exp2(score[s] - new_largest) : 0;
          sum += weight[s];
        }
        largest[row] = new_largest;
        total[row] = total[row] * fade + sum;
        for (int64_t d = 0; d < D; ++d) {
          float more = 0;
          for (int64_t s = 0; s < S; ++s) more += weight[s] * v[((b * G + g) * S + s) * D + d];
          o[row * D + d] = o[row * D + d] * fade + more;
        }
      }
    }
  }
}
