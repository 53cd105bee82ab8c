#include "kernel.h"

#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

// In-register prefix sum: shift-and-add inside each 128-bit half, then carry the low half's
// total into the high half, then add the running total of everything before this vector.
namespace {

#if defined(__AVX2__)
inline __m256 prefix8(__m256 v) {
  v = _mm256_add_ps(v, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(v), 4)));
  v = _mm256_add_ps(v, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(v), 8)));
  // Broadcast element 3 of the low half into the whole high half.
  const __m256 low_total = _mm256_permute_ps(_mm256_permute2f128_ps(v, v, 0x08), 0xFF);
  return _mm256_add_ps(v, low_total);
}

inline __m256 load_mask(const bool* mask) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mask));
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
}
#endif

void cumsum_row(const float* x, const bool* mask, float* y, int64_t C) {
  int64_t c = 0;
  float total = 0.0f;
#if defined(__AVX2__)
  __m256 carry = _mm256_setzero_ps();
  const __m256i last = _mm256_set1_epi32(7);
  for (; c + 8 <= C; c += 8) {
    const __m256 kept = _mm256_mul_ps(_mm256_loadu_ps(x + c), load_mask(mask + c));
    const __m256 local = prefix8(kept);
    _mm256_storeu_ps(y + c, _mm256_add_ps(local, carry));
    // Only this addition depends on the previous iteration.
    carry = _mm256_add_ps(carry, _mm256_permutevar8x32_ps(local, last));
  }
  total = _mm256_cvtss_f32(carry);
#endif
  for (; c < C; ++c) {
    total += mask[c] ? x[c] : 0.0f;
    y[c] = total;
  }
}

}  // namespace

extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static) if (N * C > 16384)
  for (int64_t n = 0; n < N; ++n) cumsum_row(x + n * C, mask + n * C, y + n * C, C);
}
