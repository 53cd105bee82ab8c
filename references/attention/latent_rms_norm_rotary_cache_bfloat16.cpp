// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

#include "blocks/bfloat16.h"

void latent_rms_norm_rotary_cache_bfloat16(const bfloat16* tokens, const bfloat16* gamma, const bfloat16* cosines, const bfloat16* sines,
                                           const int64_t* places, bfloat16* latent_cache, bfloat16* rotary_cache, int64_t B, int64_t T,
                                           int64_t L, int64_t E, int64_t P) {
#pragma omp parallel for schedule(static)
  for (int64_t token = 0; token < B * T; ++token) {
    const int64_t place = token / T * P + places[token];
    const bfloat16 *latent = tokens + token * (L + 2 * E), *pairs = latent + L;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < L; ++i) {
      const double element = blocks::load(latent[i]);
      squares += element * element;
    }
    const auto factor = static_cast<float>(1 / std::sqrt(squares / L + 0x1p-17));
    bfloat16* to = latent_cache + place * L;
#pragma omp simd
    for (int64_t i = 0; i < L; ++i) blocks::store(blocks::load(latent[i]) * factor * blocks::load(gamma[i]), to[i]);

    const bfloat16 *cos = cosines + token * 2 * E, *sin = sines + token * 2 * E;
    bfloat16* turned = rotary_cache + place * 2 * E;
#pragma omp simd
    for (int64_t e = 0; e < E; ++e) {
      const float first = blocks::load(pairs[2 * e]), second = blocks::load(pairs[2 * e + 1]);
      blocks::store(first * blocks::load(cos[e]) - second * blocks::load(sin[e]), turned[e]);
      blocks::store(second * blocks::load(cos[E + e]) + first * blocks::load(sin[E + e]), turned[E + e]);
    }
  }
}
