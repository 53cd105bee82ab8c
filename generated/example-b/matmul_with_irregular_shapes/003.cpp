#include "kernel.h"
#include <algorithm>
#include <cstring>

// Tiled matmul. The tile size is derived from the matrix shape so that
// the work is split evenly into 8 parts along the shortest dimension.
extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    int64_t tile = std::min({M, K, N}) / 8;
    int64_t num_tiles = M / tile;      // full tiles
    int64_t rest = M % tile;           // rows in the last, partial tile

    memset(c, 0, M * N * sizeof(float));

    for (int64_t t = 0; t < num_tiles + (rest ? 1 : 0); t++) {
        int64_t start = t * tile;
        int64_t end = std::min(start + tile, M);
        for (int64_t i = start; i < end; i++) {
            for (int64_t k = 0; k < K; k++) {
                float v = a[i * K + k];
                for (int64_t j = 0; j < N; j++) {
                    c[i * N + j] += v * b[k * N + j];
                }
            }
        }
    }
}
