#include <algorithm>
#include <cstdint>
#include "kernel.h"

/*
 * Matrix multiply C[M,N] = A[M,K] * B[K,N].
 *
 * Since all three dimensions may be odd, I avoid packing and instead use an
 * i-k-j loop order which is naturally vectorizable over j, and unroll four
 * rows of A and four values of k so each loaded row of B is used several times.
 * K is blocked so the active slice of B stays in L2.
 */
static inline void row_update4(const float* a0, const float* a1, const float* a2, const float* a3,
                               const float* b, float* __restrict c0, float* __restrict c1,
                               float* __restrict c2, float* __restrict c3,
                               int64_t k_begin, int64_t k_end, int64_t N) {
    int64_t k = k_begin;
    for (; k + 1 < k_end; k += 2) {
        const float x00 = a0[k], x01 = a0[k + 1];
        const float x10 = a1[k], x11 = a1[k + 1];
        const float x20 = a2[k], x21 = a2[k + 1];
        const float x30 = a3[k], x31 = a3[k + 1];
        const float* b0 = b + k * N;
        const float* b1 = b0 + N;
        #pragma omp simd
        for (int64_t j = 0; j < N; ++j) {
            const float p = b0[j], q = b1[j];
            c0[j] += x00 * p + x01 * q;
            c1[j] += x10 * p + x11 * q;
            c2[j] += x20 * p + x21 * q;
            c3[j] += x30 * p + x31 * q;
        }
    }
    for (; k < k_end; ++k) {
        const float* b0 = b + k * N;
        #pragma omp simd
        for (int64_t j = 0; j < N; ++j) {
            const float p = b0[j];
            c0[j] += a0[k] * p;
            c1[j] += a1[k] * p;
            c2[j] += a2[k] * p;
            c3[j] += a3[k] * p;
        }
    }
}

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    constexpr int64_t BLOCK_K = 128;

    #pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < M; i += 4) {
        const int64_t rows = std::min<int64_t>(4, M - i);
        std::fill(c + i * N, c + (i + rows) * N, 0.0f);

        if (rows == 4) {
            for (int64_t k0 = 0; k0 < K; k0 += BLOCK_K) {
                row_update4(a + i * K, a + (i + 1) * K, a + (i + 2) * K, a + (i + 3) * K, b,
                            c + i * N, c + (i + 1) * N, c + (i + 2) * N, c + (i + 3) * N,
                            k0, std::min(K, k0 + BLOCK_K), N);
            }
        } else {
            // Remaining 1..3 rows
            for (int64_t r = i; r < i + rows; ++r) {
                float* __restrict cr = c + r * N;
                for (int64_t k = 0; k < K; ++k) {
                    const float x = a[r * K + k];
                    const float* br = b + k * N;
                    #pragma omp simd
                    for (int64_t j = 0; j < N; ++j) cr[j] += x * br[j];
                }
            }
        }
    }
}
