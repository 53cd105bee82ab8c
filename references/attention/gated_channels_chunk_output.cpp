// SPDX-License-Identifier: Apache-2.0
// exp(g[i] - g[j]) is at most about 1 where exp(g[i]) and exp(-g[j]) may overflow, but takes an exponential for each pair of tokens. It
// is split at the middle token of the pair's chunk: exp(g[i] - g[m]) exp(g[m] - g[j]) takes two for each token, half as far from 0.
// Where a factor leaves float's range on the way, the pair is computed as it is defined.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void gated_channels_chunk_output(const float* q, const float* k, const float* v, const float* g, const float* h, float* a, float* y,
                                            int64_t B, int64_t H, int64_t M, int64_t C, int64_t K, int64_t V) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> queries(C * K), keys(C * K);
#pragma omp for schedule(dynamic)
    for (int64_t chunk = 0; chunk < B * H * M; ++chunk) {
      const float *gate = g + chunk * C * K, *middle = gate + C / 2 * K, *state = h + chunk * K * V;
      for (int64_t i = 0; i < C; ++i)
        for (int64_t c = 0; c < K; ++c) {
          const float from_middle = gate[i * K + c] - middle[c];
          queries[i * K + c] = q[(chunk * C + i) * K + c] * blocks::exp(from_middle);
          keys[i * K + c] = k[(chunk * C + i) * K + c] * blocks::exp(-from_middle);
        }
      for (int64_t i = 0; i < C; ++i) {
        float *scores = a + (chunk * C + i) * C, *out = y + (chunk * C + i) * V;
        std::fill_n(scores, C, 0.0f);
        std::fill_n(out, V, 0.0f);
        for (int64_t j = 0; j <= i; ++j) {
          float sum = 0;
#pragma omp simd reduction(+ : sum)
          for (int64_t c = 0; c < K; ++c) sum += queries[i * K + c] * keys[j * K + c];
          if (!std::isfinite(sum)) {
            sum = 0;
            for (int64_t c = 0; c < K; ++c)
              sum += q[(chunk * C + i) * K + c] * k[(chunk * C + j) * K + c] * blocks::exp(gate[i * K + c] - gate[j * K + c]);
          }
          scores[j] = scale * sum;
          for (int64_t d = 0; d < V; ++d) out[d] += scores[j] * v[(chunk * C + j) * V + d];
        }
        for (int64_t c = 0; c < K; ++c) {
          const float weight = scale * q[(chunk * C + i) * K + c] * blocks::exp(gate[i * K + c]);
          for (int64_t d = 0; d < V; ++d) out[d] += weight * state[c * V + d];
        }
      }
    }
  }
}
