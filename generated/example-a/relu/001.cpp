#include "kernel.h"

#include <immintrin.h>

namespace {

// Processes [begin, end) with 4x unrolled AVX2 and a scalar remainder.
inline void relu_range(const float* x, float* y, int64_t begin, int64_t end) {
  int64_t i = begin;
#if defined(__AVX2__)
  const __m256 zero = _mm256_setzero_ps();
  for (; i + 32 <= end; i += 32) {
    const __m256 a = _mm256_loadu_ps(x + i);
    const __m256 b = _mm256_loadu_ps(x + i + 8);
    const __m256 c = _mm256_loadu_ps(x + i + 16);
    const __m256 d = _mm256_loadu_ps(x + i + 24);
    // max_ps returns the second operand if one of them is NaN, so x goes second.
    _mm256_storeu_ps(y + i, _mm256_max_ps(zero, a));
    _mm256_storeu_ps(y + i + 8, _mm256_max_ps(zero, b));
    _mm256_storeu_ps(y + i + 16, _mm256_max_ps(zero, c));
    _mm256_storeu_ps(y + i + 24, _mm256_max_ps(zero, d));
  }
  for (; i + 8 <= end; i += 8) {
    _mm256_storeu_ps(y + i, _mm256_max_ps(zero, _mm256_loadu_ps(x + i)));
  }
#endif
  for (; i < end; ++i) {
    y[i] = x[i] < 0.0f ? 0.0f : x[i];
  }
}

}  // namespace

extern "C" void relu(const float* x, float* y, int64_t N, int64_t C) {
  const int64_t total = N * C;
  constexpr int64_t kBlock = 1 << 15;  // 128 KiB in + 128 KiB out per task
  const int64_t blocks = (total + kBlock - 1) / kBlock;

#pragma omp parallel for schedule(static) if (blocks > 1)
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t begin = b * kBlock;
    const int64_t end = begin + kBlock < total ? begin + kBlock : total;
    relu_range(x, y, begin, end);
  }
}
