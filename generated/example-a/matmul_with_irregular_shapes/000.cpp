// High-performance single-precision matrix multiplication for irregular shapes.
//
// Strategy (BLIS-style, simplified):
//   * B is packed once into column panels of NR floats, zero padded at the right edge,
//     so that the micro-kernel never needs a tail loop in N.
//   * A is packed per block of MR rows (also zero padded), which makes the micro-kernel
//     read both operands with unit stride.
//   * The micro-kernel keeps an MR x NR tile of C in registers.
//   * Row blocks are distributed over threads with OpenMP.
#include "kernel.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

#if defined(__AVX512F__)
constexpr int MR = 8;
constexpr int NR = 48;
#else
constexpr int MR = 6;
constexpr int NR = 16;
#endif
constexpr int64_t KC = 512;

// acc[MR][NR] = Ap (KC x MR) * Bp (KC x NR)
inline void micro_kernel(int64_t kc, const float* __restrict Ap, const float* __restrict Bp,
                         float* __restrict out) {
    float acc[MR][NR] = {};
    for (int64_t k = 0; k < kc; ++k) {
        const float* bk = Bp + k * NR;
        const float* ak = Ap + k * MR;
#pragma GCC unroll 8
        for (int i = 0; i < MR; ++i) {
#pragma omp simd
            for (int j = 0; j < NR; ++j) acc[i][j] += ak[i] * bk[j];
        }
    }
    std::memcpy(out, acc, sizeof(acc));
}

}  // namespace

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    const int64_t panels = (N + NR - 1) / NR;
    const int64_t row_blocks = (M + MR - 1) / MR;
    const int64_t kc_max = std::min<int64_t>(K, KC);
    std::vector<float> packed_b(static_cast<size_t>(panels * NR * kc_max));

#pragma omp parallel
    {
        std::vector<float> packed_a(static_cast<size_t>(MR * kc_max));
        alignas(64) float tile[MR * NR];

        for (int64_t k0 = 0; k0 < K; k0 += KC) {
            const int64_t kc = std::min<int64_t>(KC, K - k0);

            // Pack B (cooperatively). Implicit barrier at the end of the loop.
#pragma omp for schedule(static)
            for (int64_t p = 0; p < panels; ++p) {
                const int64_t j0 = p * NR;
                const int64_t nb = std::min<int64_t>(NR, N - j0);
                float* dst = packed_b.data() + p * NR * kc;
                for (int64_t k = 0; k < kc; ++k) {
                    const float* src = b + (k0 + k) * N + j0;
                    for (int64_t j = 0; j < nb; ++j) dst[k * NR + j] = src[j];
                    for (int64_t j = nb; j < NR; ++j) dst[k * NR + j] = 0.0f;
                }
            }

#pragma omp for schedule(dynamic, 1)
            for (int64_t rb = 0; rb < row_blocks; ++rb) {
                const int64_t i0 = rb * MR;
                const int64_t mb = std::min<int64_t>(MR, M - i0);
                for (int64_t i = 0; i < MR; ++i) {
                    if (i < mb) {
                        const float* src = a + (i0 + i) * K + k0;
                        for (int64_t k = 0; k < kc; ++k) packed_a[k * MR + i] = src[k];
                    } else {
                        for (int64_t k = 0; k < kc; ++k) packed_a[k * MR + i] = 0.0f;
                    }
                }
                for (int64_t p = 0; p < panels; ++p) {
                    const int64_t j0 = p * NR;
                    const int64_t nb = std::min<int64_t>(NR, N - j0);
                    micro_kernel(kc, packed_a.data(), packed_b.data() + p * NR * kc, tile);
                    for (int64_t i = 0; i < mb; ++i) {
                        float* crow = c + (i0 + i) * N + j0;
                        const float* trow = tile + i * NR;
                        if (k0 == 0) {
                            for (int64_t j = 0; j < nb; ++j) crow[j] = trow[j];
                        } else {
                            for (int64_t j = 0; j < nb; ++j) crow[j] += trow[j];
                        }
                    }
                }
            }
        }
    }
}
