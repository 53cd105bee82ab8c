#include "kernel.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

// Pairwise (cascade) summation over the middle dimension, in float32.
// Blocks of 32 rows are summed directly; the block sums are combined like a binary counter, so the
// rounding error grows with log2(M) instead of M and everything vectorizes over the columns.
namespace {

constexpr int64_t kCols = 64;    // columns per tile
constexpr int64_t kRows = 32;    // rows per leaf
constexpr int kLevels = 48;

void reduce_tile(const float* x, float* y, int64_t M, int64_t N, int64_t width) {
    float partial[kLevels][kCols];
    float leaf[kCols];
    int64_t leaves = 0;
    for (int64_t m0 = 0; m0 < M; m0 += kRows) {
        const int64_t m1 = std::min(M, m0 + kRows);
        std::memcpy(leaf, x + m0 * N, width * sizeof(float));
        for (int64_t m = m0 + 1; m < m1; ++m) {
            const float* row = x + m * N;
#pragma omp simd
            for (int64_t i = 0; i < width; ++i) leaf[i] += row[i];
        }
        // Binary counter: merge with all completed levels of the same size.
        int level = 0;
        for (int64_t bits = leaves; bits & 1; bits >>= 1, ++level)
            for (int64_t i = 0; i < width; ++i) leaf[i] += partial[level][i];
        std::memcpy(partial[level], leaf, width * sizeof(float));
        ++leaves;
    }
    bool first = true;
    for (int level = 0; (leaves >> level) != 0; ++level) {
        if (((leaves >> level) & 1) == 0) continue;
        if (first) {
            std::memcpy(leaf, partial[level], width * sizeof(float));
            first = false;
        } else {
            for (int64_t i = 0; i < width; ++i) leaf[i] += partial[level][i];
        }
    }
    std::memcpy(y, leaf, width * sizeof(float));
}

}  // namespace

extern "C" void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
    const int64_t tiles = (N + kCols - 1) / kCols;
#pragma omp parallel for schedule(static)
    for (int64_t job = 0; job < B * tiles; ++job) {
        const int64_t b = job / tiles, n0 = job % tiles * kCols;
        reduce_tile(x + b * M * N + n0, y + b * N + n0, M, N, std::min(kCols, N - n0));
    }
}
