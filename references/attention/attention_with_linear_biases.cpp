// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void attention_with_linear_biases(const float* q, const float* k, const float* v, float* o, int64_t B, int64_t H, int64_t N,
                                             int64_t D) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int64_t head = 0; head < B * H; ++head)
    for (int64_t first = 0; first < N; first += blocks::kQueries) {
      const int64_t all = head * N * D, own = all + first * D;
      const auto seen = [first](int64_t n) { return blocks::Seen{0, first + n + 1}; };
      const float slope = std::exp2(-8.0f * static_cast<float>(head % H + 1) / static_cast<float>(H));
      const auto weigh = [scale, slope](int64_t, blocks::Seen keys, float* scores) {
        for (int64_t s = 0; s < keys.end; ++s) scores[s] = scale * scores[s] + slope * static_cast<float>(s - keys.end);
        blocks::soften(scores, keys.end, 1);
      };
      blocks::attend(std::min(blocks::kQueries, N - first), D, D, {q + own, D}, {k + all, D}, {v + all, D}, o + own, D, seen, weigh);
    }
}
