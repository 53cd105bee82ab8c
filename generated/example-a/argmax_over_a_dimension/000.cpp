#include "kernel.h"

#include <algorithm>
#include <cstdint>

// ArgMax over the middle axis of a [B, M, N] tensor.
//
// Reading column-wise would stride by N floats, so instead a block of columns is processed at once:
// for each row m the block is contiguous in memory. Current maxima and their (32-bit) indices are
// kept in small arrays that stay in L1. The comparison is strict so the first maximum wins.
namespace {
constexpr int64_t BLOCK = 256;
}

extern "C" void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
    const int64_t blocks = (N + BLOCK - 1) / BLOCK;
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t b = 0; b < B; ++b) {
        for (int64_t blk = 0; blk < blocks; ++blk) {
            const int64_t n0 = blk * BLOCK;
            const int64_t len = std::min(BLOCK, N - n0);
            alignas(64) float best[BLOCK];
            alignas(64) int32_t arg[BLOCK];
            const float* p = x + b * M * N + n0;
            for (int64_t i = 0; i < len; ++i) {
                best[i] = p[i];
                arg[i] = 0;
            }
            for (int64_t m = 1; m < M; ++m) {
                p += N;
                const int32_t mi = static_cast<int32_t>(m);
#pragma omp simd
                for (int64_t i = 0; i < len; ++i) {
                    const bool gt = p[i] > best[i];
                    best[i] = gt ? p[i] : best[i];
                    arg[i] = gt ? mi : arg[i];
                }
            }
            int64_t* out = y + b * N + n0;
            for (int64_t i = 0; i < len; ++i) out[i] = arg[i];
        }
    }
}
