// SPDX-License-Identifier: Apache-2.0
// Step by step, a strip of channels at a time, whose states stay in the first-level cache. Of two exponentials relative to the larger
// exponent one is 1, so a step takes two in all.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

struct Shares {
  float old, added;
};

/// exp(a) and exp(b), divided by the larger of them.
inline Shares shares(float a, float b) {
  const float smaller = blocks::exp(a < b ? a - b : b - a);
  return {a < b ? smaller : 1.0f, a < b ? 1.0f : smaller};
}

}  // namespace

extern "C" void rwkv_time_mixing(const float* key, const float* value, const float* time_decay, const float* time_first, const float* top,
                                 const float* num, const float* den, float* y, float* last_top, float* last_num, float* last_den, int64_t B,
                                 int64_t T, int64_t C) {
  constexpr int64_t strip = 256;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t begin = 0; begin < C; begin += strip) {
      const int64_t count = std::min(strip, C - begin), at = b * C + begin;
      float w[strip], o[strip], p[strip], q[strip];
      for (int64_t c = 0; c < count; ++c) w[c] = -blocks::exp(time_decay[begin + c]);
      std::copy_n(top + at, count, o);
      std::copy_n(num + at, count, p);
      std::copy_n(den + at, count, q);
      for (int64_t t = 0; t < T; ++t) {
        const int64_t row = (b * T + t) * C + begin;
        const float *k = key + row, *v = value + row, *u = time_first + begin;
        float* out = y + row;
#pragma omp simd
        for (int64_t c = 0; c < count; ++c) {
          const Shares own = shares(o[c], k[c] + u[c]);
          out[c] = (own.old * p[c] + own.added * v[c]) / (own.old * q[c] + own.added);
          const float faded = o[c] + w[c];
          const Shares next = shares(faded, k[c]);
          p[c] = next.old * p[c] + next.added * v[c];
          q[c] = next.old * q[c] + next.added;
          o[c] = faded < k[c] ? k[c] : faded;
        }
      }
      std::copy_n(o, count, last_top + at);
      std::copy_n(p, count, last_num + at);
      std::copy_n(q, count, last_den + at);
    }
}
