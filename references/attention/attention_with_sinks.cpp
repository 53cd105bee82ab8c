// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void attention_with_sinks(const float* q, const float* k, const float* v, const float* sinks, float* o, int64_t B, int64_t H,
                                     int64_t N, int64_t D) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int64_t head = 0; head < B * H; ++head)
    for (int64_t first = 0; first < N; first += blocks::kQueries) {
      const int64_t all = head * N * D, own = all + first * D;
      const auto seen = [first](int64_t n) { return blocks::Seen{0, first + n + 1}; };
      const auto weigh = [scale, sink = sinks[head % H]](int64_t, blocks::Seen keys, float* scores) {
        blocks::soften(scores, keys.end, scale, sink);
      };
      blocks::attend(std::min(blocks::kQueries, N - first), D, D, {q + own, D}, {k + all, D}, {v + all, D}, o + own, D, seen, weigh);
    }
}
