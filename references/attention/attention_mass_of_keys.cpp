// SPDX-License-Identifier: Apache-2.0
// Keys are transposed once for each head, so that a query's scores take vectors.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void attention_mass_of_keys(const float* q, const float* k, const float* m, float* y, int64_t B, int64_t H, int64_t N, int64_t D,
                                       int64_t S) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    std::vector<float> keys(D * S), scores(S);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      for (int64_t s = 0; s < S; ++s)
        for (int64_t d = 0; d < D; ++d) keys[d * S + s] = k[(head * S + s) * D + d];
      float* sums = y + head * S;
      std::fill_n(sums, S, 0.0f);
      for (int64_t row = head * N; row < (head + 1) * N; ++row) {
        std::fill(scores.begin(), scores.end(), -0.6931471805599453f * m[row]);
        for (int64_t d = 0; d < D; ++d) {
          const float factor = scale * q[row * D + d];
          for (int64_t s = 0; s < S; ++s) scores[s] += factor * keys[d * S + s];
        }
        for (int64_t s = 0; s < S; ++s) sums[s] += std::exp(scores[s]);
      }
    }
  }
}
