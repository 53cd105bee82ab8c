#include "kernel.h"

#include <algorithm>
#include <cstdint>

// ArgMax over dim 1 with instruction-level parallelism: four independent (max, index) pairs per
// column break the dependency chain of the running maximum. Lane r sees the rows r, r + 4, r + 8, ...
// and the lanes are merged at the end.
namespace {
constexpr int64_t kTile = 128;
}

extern "C" void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for collapse(2)
    for (int64_t b = 0; b < B; ++b) {
        for (int64_t n0 = 0; n0 < N; n0 += kTile) {
            const int64_t len = std::min(kTile, N - n0);
            const float* base = x + b * M * N + n0;
            const int64_t lanes = std::min<int64_t>(4, M);
            float best[4][kTile];
            int32_t arg[4][kTile];
            for (int64_t r = 0; r < lanes; ++r)
                for (int64_t i = 0; i < len; ++i) {
                    best[r][i] = base[r * N + i];
                    arg[r][i] = static_cast<int32_t>(r);
                }
            for (int64_t m = lanes; m < M; ++m) {
                float* bl = best[m & 3];
                int32_t* al = arg[m & 3];
                const float* row = base + m * N;
#pragma omp simd
                for (int64_t i = 0; i < len; ++i) {
                    const bool greater = row[i] > bl[i];
                    bl[i] = greater ? row[i] : bl[i];
                    al[i] = greater ? static_cast<int32_t>(m) : al[i];
                }
            }
            for (int64_t i = 0; i < len; ++i) {
                int64_t winner = 0;
                for (int64_t r = 1; r < lanes; ++r)
                    if (best[r][i] > best[winner][i]) winner = r;
                y[b * N + n0 + i] = arg[winner][i];
            }
        }
    }
}
