// SPDX-License-Identifier: Apache-2.0
// Some tokens at a time: one product has what all their heads say of all keys. A partition finds the largest scores, no sort.
#include "blocks/product.h"

#include <numeric>

#include "kernel.h"

#include "blocks/float16.h"

namespace {

void widen(const float16* from, int64_t size, float* to) {
  for (int64_t i = 0; i < size; ++i) to[i] = blocks::load(from[i]);
}

}  // namespace

extern "C" void lightning_indexer(const float16* q, const float16* k, const float16* weights, int32_t* index, int64_t B, int64_t N,
                                  int64_t G, int64_t R, int64_t D, int64_t S, int64_t K) {
  const int64_t tokens = std::max<int64_t>(1, 96 / R);
  std::vector<float> keys(B * S * G * D);
  widen(k, B * S * G * D, keys.data());
#pragma omp parallel
  {
    std::vector<float> queries(tokens * R * D), products(tokens * R * S), scores(S);
    std::vector<int32_t> places(S);
#pragma omp for collapse(3) schedule(dynamic)
    for (int64_t b = 0; b < B; ++b)
      for (int64_t g = 0; g < G; ++g)
        for (int64_t first = 0; first < N; first += tokens) {
          const int64_t count = std::min(tokens, N - first);
          const auto row = [=](int64_t n) { return (b * N + first + n) * G + g; };
          for (int64_t n = 0; n < count; ++n) widen(q + row(n) * R * D, R * D, &queries[n * R * D]);
          blocks::product(count * R, S, D, blocks::row_major(queries.data(), D), blocks::transposed(&keys[(b * S * G + g) * D], G * D),
                          products.data(), S);
          for (int64_t n = 0; n < count; ++n) {
            std::fill(scores.begin(), scores.end(), 0.0f);
            for (int64_t r = 0; r < R; ++r) {
              const float weight = blocks::load(weights[row(n) * R + r]), *said = &products[(n * R + r) * S];
              for (int64_t s = 0; s < S; ++s) scores[s] += weight * std::max(said[s], 0.0f);
            }
            std::iota(places.begin(), places.end(), 0);
            std::nth_element(places.begin(), places.begin() + (K - 1), places.end(),
                             [&](int32_t i, int32_t j) { return scores[i] > scores[j]; });
            std::copy_n(places.begin(), K, index + row(n) * K);
          }
        }
  }
}
