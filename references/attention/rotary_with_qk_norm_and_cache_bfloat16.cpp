// SPDX-License-Identifier: Apache-2.0
// A token's angles are the same for all of its heads.
#include "blocks/trigonometry.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

#include "blocks/bfloat16.h"

namespace {

void normalize_and_turn(const bfloat16* from, const bfloat16* weight, const float* cos, const float* sin, bfloat16* to, int64_t E) {
  double squares = 0;
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < 2 * E; ++i) {
    const double element = blocks::load(from[i]);
    squares += element * element;
  }
  const auto factor = static_cast<float>(1 / std::sqrt(squares / (2 * E) + 1e-6));
#pragma omp simd
  for (int64_t e = 0; e < E; ++e) {
    const float first = blocks::load(from[e]) * factor * blocks::load(weight[e]);
    const float second = blocks::load(from[E + e]) * factor * blocks::load(weight[E + e]);
    blocks::store(first * cos[e] - second * sin[e], to[e]);
    blocks::store(second * cos[e] + first * sin[e], to[E + e]);
  }
}

}  // namespace

void rotary_with_qk_norm_and_cache_bfloat16(const bfloat16* query, const bfloat16* key, const bfloat16* value, const int64_t* positions,
                                            bfloat16* key_cache, bfloat16* value_cache, const int64_t* places, const bfloat16* query_weight,
                                            const bfloat16* key_weight, const float* frequencies, bfloat16* turned, int64_t B, int64_t H,
                                            int64_t T, int64_t E, int64_t G, int64_t P) {
  const int64_t D = 2 * E;
#pragma omp parallel
  {
    std::vector<float> angles(E), cos(E), sin(E);
#pragma omp for collapse(2) schedule(static)
    for (int64_t b = 0; b < B; ++b)
      for (int64_t t = 0; t < T; ++t) {
        for (int64_t e = 0; e < E; ++e) angles[e] = static_cast<float>(positions[b * T + t]) * frequencies[e];
        blocks::cos(angles.data(), cos.data(), E);
        blocks::sin(angles.data(), sin.data(), E);
        for (int64_t head = b * H; head < (b + 1) * H; ++head) {
          const int64_t at = (head * T + t) * D;
          normalize_and_turn(query + at, query_weight, cos.data(), sin.data(), turned + at, E);
        }
        for (int64_t head = b * G; head < (b + 1) * G; ++head) {
          const int64_t at = (head * T + t) * D, slot = (head * P + places[t]) * D;
          normalize_and_turn(key + at, key_weight, cos.data(), sin.data(), key_cache + slot, E);
          std::copy_n(value + at, D, value_cache + slot);
        }
      }
  }
}
