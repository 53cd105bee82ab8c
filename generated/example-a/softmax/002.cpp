#include "kernel.h"

#include <cmath>
#include <immintrin.h>
#include <limits>

namespace {

inline float hmax(__m256 v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  m = _mm_max_ss(m, _mm_shuffle_ps(m, m, 1));
  return _mm_cvtss_f32(m);
}

inline float hsum(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  s = _mm_add_ss(s, _mm_shuffle_ps(s, s, 1));
  return _mm_cvtss_f32(s);
}

}  // namespace

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float* out = y + n * C;

    // Pass 1: maximum
    __m256 vmax = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
    int64_t c = 0;
    for (; c + 8 <= C; c += 8) vmax = _mm256_max_ps(vmax, _mm256_loadu_ps(row + c));
    float top = hmax(vmax);
    for (; c < C; ++c) top = row[c] > top ? row[c] : top;

    // Pass 2: exponentials and their sum
    const __m256 vtop = _mm256_set1_ps(top);
    __m256 vsum = _mm256_setzero_ps();
    for (c = 0; c + 8 <= C; c += 8) {
      const __m256 e = _mm256_exp_ps(_mm256_sub_ps(_mm256_loadu_ps(row + c), vtop));
      _mm256_storeu_ps(out + c, e);
      vsum = _mm256_add_ps(vsum, e);
    }
    float sum = hsum(vsum);
    for (; c < C; ++c) {
      out[c] = std::exp(row[c] - top);
      sum += out[c];
    }

    // Pass 3: normalise
    const __m256 vinv = _mm256_set1_ps(1.0f / sum);
    for (c = 0; c + 8 <= C; c += 8) _mm256_storeu_ps(out + c, _mm256_mul_ps(_mm256_loadu_ps(out + c), vinv));
    for (; c < C; ++c) out[c] /= sum;
  }
}
