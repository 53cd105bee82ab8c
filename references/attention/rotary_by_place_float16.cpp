// SPDX-License-Identifier: Apache-2.0
// Angles are the same for all heads and samples: a token's are computed once.
#include <cmath>

#include "kernel.h"

extern "C" void rotary_by_place_float16(const float16* x, const int64_t* first, float16* y, int64_t B, int64_t T, int64_t H) {
  constexpr int64_t kPairs = 64;
  float divisors[kPairs];
  for (int64_t e = 0; e < kPairs; ++e) divisors[e] = std::pow(10000.0f, static_cast<float>(e) / 64.0f);
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    float cos[kPairs], sin[kPairs];
    for (int64_t e = 0; e < kPairs; ++e) {
      const float angle = static_cast<float>(first[0] + t) / divisors[e];
      cos[e] = std::cos(angle);
      sin[e] = std::sin(angle);
    }
    for (int64_t b = 0; b < B; ++b)
      for (int64_t h = 0; h < H; ++h) {
        const int64_t at = ((b * T + t) * H + h) * 2 * kPairs;
        for (int64_t e = 0; e < kPairs; ++e) {
          const float even = static_cast<float>(x[at + 2 * e]), odd = static_cast<float>(x[at + 2 * e + 1]);
          y[at + 2 * e] = static_cast<float16>(even * cos[e] - odd * sin[e]);
          y[at + 2 * e + 1] = static_cast<float16>(odd * cos[e] + even * sin[e]);
        }
      }
  }
}
