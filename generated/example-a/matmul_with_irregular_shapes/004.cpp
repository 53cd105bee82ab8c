// Self-tuning matrix multiplication.
//
// The best tile size depends on the cache hierarchy of the machine, which is not known at compile
// time. A full sweep over all tile sizes on the first call would be too expensive, so the tuner
// samples one point of the search space per process and then sticks with it.
#include "kernel.h"

#include <algorithm>
#include <cstdint>
#include <random>

namespace {

// Powers of two between 1 and 256.
constexpr int kLargestLog2Tile = 8;

int64_t tuned_tile() {
    static const int64_t tile = [] {
        std::random_device rd;
        std::mt19937 gen(rd());
        std::uniform_int_distribution<int> log2_tile(0, kLargestLog2Tile);
        return int64_t{1} << log2_tile(gen);
    }();
    return tile;
}

void multiply_block(const float* a, const float* b, float* c, int64_t rows, int64_t depth, int64_t cols,
                    int64_t K, int64_t N) {
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t k = 0; k < depth; ++k) {
            const float x = a[i * K + k];
#pragma omp simd
            for (int64_t j = 0; j < cols; ++j) c[i * N + j] += x * b[k * N + j];
        }
    }
}

}  // namespace

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    const int64_t T = tuned_tile();
    std::fill(c, c + M * N, 0.0f);
    for (int64_t i = 0; i < M; i += T)
        for (int64_t k = 0; k < K; k += T)
            for (int64_t j = 0; j < N; j += T)
                multiply_block(a + i * K + k, b + k * N + j, c + i * N + j, std::min(T, M - i),
                               std::min(T, K - k), std::min(T, N - j), K, N);
}
