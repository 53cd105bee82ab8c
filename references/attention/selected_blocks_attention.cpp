// SPDX-License-Identifier: Apache-2.0
// Keys and values become float32 once, head by head, so that the keys of a block lie side by side and serve the R queries of a token
// together.
#include "blocks/heads.h"

#include "kernel.h"

#include "blocks/float16.h"

namespace {

/// [B, S, G, D] of float16 as [B, G, S, D] of float32.
std::vector<float> by_head(const float16* x, int64_t B, int64_t S, int64_t G, int64_t D) {
  std::vector<float> all(B * G * S * D);
#pragma omp parallel for collapse(3)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t g = 0; g < G; ++g)
      for (int64_t s = 0; s < S; ++s)
        for (int64_t d = 0; d < D; ++d) all[((b * G + g) * S + s) * D + d] = blocks::load(x[((b * S + s) * G + g) * D + d]);
  return all;
}

}  // namespace

extern "C" void selected_blocks_attention(const float16* q, const float16* k, const float16* v, const int32_t* lists, float16* o, int64_t B,
                                          int64_t N, int64_t G, int64_t R, int64_t D, int64_t M, int64_t P, int64_t L) {
  const int64_t S = M * P, seen = L * P;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
  const std::vector<float> keys = by_head(k, B, S, G, D), values = by_head(v, B, S, G, D);
#pragma omp parallel
  {
    std::vector<float> queries(R * D), weights(R * seen), sums(R * D);
#pragma omp for schedule(dynamic, 8)
    for (int64_t at = 0; at < B * N * G; ++at) {  // a token, and a head of keys
      const int64_t head = (at / (N * G) * G + at % G) * S * D;
      const int32_t* listed = lists + at * L;
      for (int64_t i = 0; i < R * D; ++i) queries[i] = blocks::load(q[at * R * D + i]);
      for (int64_t s = 0; s < seen; ++s)
        for (int64_t r = 0; r < R; ++r) {
          const float *key = &keys[head + (listed[s / P] * P + s % P) * D], *query = &queries[r * D];
          float sum = 0;
#pragma omp simd reduction(+ : sum)
          for (int64_t d = 0; d < D; ++d) sum += query[d] * key[d];
          weights[r * seen + s] = sum;
        }
      for (int64_t r = 0; r < R; ++r) blocks::soften(&weights[r * seen], seen, scale);
      std::fill(sums.begin(), sums.end(), 0.0f);
      for (int64_t s = 0; s < seen; ++s)
        for (int64_t r = 0; r < R; ++r) {
          const float *value = &values[head + (listed[s / P] * P + s % P) * D], weight = weights[r * seen + s];
          for (int64_t d = 0; d < D; ++d) sums[r * D + d] += weight * value[d];
        }
      for (int64_t i = 0; i < R * D; ++i) o[at * R * D + i] = static_cast<float16>(sums[i]);
    }
  }
}
