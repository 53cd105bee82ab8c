// ArgMax along axis 1, AVX2: 16 columns at a time stay entirely in registers.
#include "kernel.h"

#include <cstdint>
#include <immintrin.h>

static void columns16(const float* x, int64_t* y, int64_t M, int64_t N) {
    __m256 best0 = _mm256_loadu_ps(x), best1 = _mm256_loadu_ps(x + 8);
    __m256i idx0 = _mm256_setzero_si256(), idx1 = _mm256_setzero_si256();
    for (int64_t m = 1; m < M; ++m) {
        const float* row = x + m * N;
        const __m256 v0 = _mm256_loadu_ps(row), v1 = _mm256_loadu_ps(row + 8);
        const __m256 gt0 = _mm256_cmp_ps(v0, best0, _CMP_GT_OQ);
        const __m256 gt1 = _mm256_cmp_ps(v1, best1, _CMP_GT_OQ);
        const __m256i mv = _mm256_set1_epi32(static_cast<int>(m));
        best0 = _mm256_blendv_ps(best0, v0, gt0);
        best1 = _mm256_blendv_ps(best1, v1, gt1);
        idx0 = _mm256_blendv_epi8(idx0, mv, _mm256_castps_si256(gt0));
        idx1 = _mm256_blendv_epi8(idx1, mv, _mm256_castps_si256(gt1));
    }
    alignas(32) int32_t tmp[16];
    _mm256_store_si256(reinterpret_cast<__m256i*>(tmp), idx0);
    _mm256_store_si256(reinterpret_cast<__m256i*>(tmp + 8), idx1);
    for (int i = 0; i < 16; ++i) y[i] = tmp[i];
}

extern "C" void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
    #pragma omp parallel for
    for (int64_t b = 0; b < B; ++b) {
        const float* xb = x + b * M * N;
        int64_t* yb = y + b * N;
        int64_t n = 0;
        for (; n + 16 <= N; n += 16) columns16(xb + n, yb + n, M, N);
        for (; n < N; ++n) {
            float best = xb[n];
            int64_t arg = 0;
            for (int64_t m = 1; m < M; ++m) {
                if (xb[m * N + n] > best) {
                    best = xb[m * N + n];
                    arg = m;
                }
            }
            yb[n] = arg;
        }
    }
}
