// AVX2/FMA implementation with a 6x16 register tile.
// Tails in N are handled with masked loads/stores, tails in M by a templated row count.
#include "kernel.h"
#include <cstdint>
#include <immintrin.h>

namespace {

alignas(32) const int32_t kMaskTable[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

inline __m256i tail_mask(int64_t n) {  // first n lanes active, 0 <= n <= 8
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMaskTable + 8 - n));
}

template <int ROWS>
void tile_full(const float* a, const float* b, float* c, int64_t K, int64_t N) {
    __m256 acc0[ROWS], acc1[ROWS];
    for (int r = 0; r < ROWS; ++r) acc0[r] = acc1[r] = _mm256_setzero_ps();
    for (int64_t k = 0; k < K; ++k) {
        const __m256 b0 = _mm256_loadu_ps(b + k * N);
        const __m256 b1 = _mm256_loadu_ps(b + k * N + 8);
#pragma GCC unroll 6
        for (int r = 0; r < ROWS; ++r) {
            const __m256 av = _mm256_broadcast_ss(a + r * K + k);
            acc0[r] = _mm256_fmadd_ps(av, b0, acc0[r]);
            acc1[r] = _mm256_fmadd_ps(av, b1, acc1[r]);
        }
    }
    for (int r = 0; r < ROWS; ++r) {
        _mm256_storeu_ps(c + r * N, acc0[r]);
        _mm256_storeu_ps(c + r * N + 8, acc1[r]);
    }
}

template <int ROWS>
void tile_masked(const float* a, const float* b, float* c, int64_t K, int64_t N, int64_t cols) {
    const __m256i m = tail_mask(cols);
    __m256 acc[ROWS];
    for (int r = 0; r < ROWS; ++r) acc[r] = _mm256_setzero_ps();
    for (int64_t k = 0; k < K; ++k) {
        const __m256 bv = _mm256_maskload_ps(b + k * N, m);
#pragma GCC unroll 6
        for (int r = 0; r < ROWS; ++r)
            acc[r] = _mm256_fmadd_ps(_mm256_broadcast_ss(a + r * K + k), bv, acc[r]);
    }
    for (int r = 0; r < ROWS; ++r) _mm256_maskstore_ps(c + r * N, m, acc[r]);
}

template <int ROWS>
void row_panel(const float* a, const float* b, float* c, int64_t K, int64_t N) {
    int64_t j = 0;
    for (; j + 16 <= N; j += 16) tile_full<ROWS>(a, b + j, c + j, K, N);
    while (j < N) {
        const int64_t cols = (N - j < 8) ? N - j : 8;
        tile_masked<ROWS>(a, b + j, c + j, K, N, cols);
        j += cols;
    }
}

}  // namespace

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    const int64_t panels = (M + 5) / 6;
#pragma omp parallel for schedule(dynamic, 2)
    for (int64_t p = 0; p < panels; ++p) {
        const int64_t i = p * 6;
        const float* ap = a + i * K;
        float* cp = c + i * N;
        switch (M - i) {
            case 1: row_panel<1>(ap, b, cp, K, N); break;
            case 2: row_panel<2>(ap, b, cp, K, N); break;
            case 3: row_panel<3>(ap, b, cp, K, N); break;
            case 4: row_panel<4>(ap, b, cp, K, N); break;
            case 5: row_panel<5>(ap, b, cp, K, N); break;
            default: row_panel<6>(ap, b, cp, K, N); break;
        }
    }
}
