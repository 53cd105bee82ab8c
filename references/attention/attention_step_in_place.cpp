// SPDX-License-Identifier: Apache-2.0
// A query at a time, over the keys in its window alone; keys are transposed once for each of their heads, so that scores take vectors.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void attention_step_in_place(const float* q, const float* k, const float* v, const int64_t* offset, float* largest, float* total,
                                        float* o, int64_t B, int64_t G, int64_t R, int64_t N, int64_t D, int64_t S, int64_t W) {
  const float scale = 1.4426950408889634f / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    std::vector<float> keys(D * S), scores(S);
#pragma omp for schedule(dynamic)
    for (int64_t group = 0; group < B * G; ++group) {
      const float* values = v + group * S * D;
      for (int64_t s = 0; s < S; ++s)
        for (int64_t d = 0; d < D; ++d) keys[d * S + s] = k[(group * S + s) * D + d];
      for (int64_t row = group * R * N; row < (group + 1) * R * N; ++row) {
        const int64_t place = row % N + offset[0], end = std::min(place + 1, S), begin = std::max<int64_t>(place - W + 1, 0);
        if (begin >= end) continue;
        std::fill(scores.begin() + begin, scores.begin() + end, 0.0f);
        for (int64_t d = 0; d < D; ++d) {
          const float factor = scale * q[row * D + d];
          for (int64_t s = begin; s < end; ++s) scores[s] += factor * keys[d * S + s];
        }
        const float highest = std::max(largest[row], *std::max_element(scores.begin() + begin, scores.begin() + end));
        const float fade = blocks::exp2(largest[row] - highest);
        float* out = o + row * D;
        for (int64_t d = 0; d < D; ++d) out[d] *= fade;
        float sum = 0;
        for (int64_t s = begin; s < end; ++s) {
          const float weight = blocks::exp2(scores[s] - highest);
          sum += weight;
          for (int64_t d = 0; d < D; ++d) out[d] += weight * values[s * D + d];
        }
        largest[row] = highest;
        total[row] = total[row] * fade + sum;
      }
    }
  }
}
