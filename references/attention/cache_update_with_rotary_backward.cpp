// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void cache_update_with_rotary_backward(float* key_cache_gradient, float* value_cache_gradient, const float* keys, const float* cosines,
                                       const float* sines, const int64_t* places, float* key_gradient, float* value_gradient,
                                       float* cosine_gradient, float* sine_gradient, int64_t B, int64_t G, int64_t P, int64_t E,
                                       int64_t T) {
  const int64_t D = 2 * E;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t t = 0; t < T; ++t) {
      const int64_t token = (b * T + t) * D;
      const float *cos = cosines + token, *sin = sines + token;
      float *dcos = cosine_gradient + token, *dsin = sine_gradient + token;
      std::fill_n(dcos, D, 0.0f);
      std::fill_n(dsin, D, 0.0f);
      for (int64_t head = b * G; head < (b + 1) * G; ++head) {
        const int64_t at = (head * T + t) * D, slot = (head * P + places[t]) * D;
        const float* k = keys + at;
        float *dy = key_cache_gradient + slot, *dk = key_gradient + at;
#pragma omp simd
        for (int64_t e = 0; e < E; ++e) {
          const float upper = dy[e], lower = dy[E + e];
          dk[e] = upper * cos[e] + lower * sin[E + e];
          dk[E + e] = lower * cos[E + e] - upper * sin[e];
          dcos[e] += upper * k[e];
          dcos[E + e] += lower * k[E + e];
          dsin[e] -= upper * k[E + e];
          dsin[E + e] += lower * k[e];
          dy[e] = dy[E + e] = 0.0f;
        }
        float* dv = value_cache_gradient + slot;
        std::copy_n(dv, D, value_gradient + at);
        std::fill_n(dv, D, 0.0f);
      }
    }
}
