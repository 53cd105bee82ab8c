#include "kernel.h"

#include <cstdint>
#include <vector>

// Row-streaming argmax: keep the running maximum of every column, walk the rows in memory order.
// Work is split over batches; when there are fewer batches than threads the columns are split too.
extern "C" void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
    constexpr int64_t kCols = 128;
    const int64_t tiles = (N + kCols - 1) / kCols;

    #pragma omp parallel for schedule(dynamic)
    for (int64_t job = 0; job < B * tiles; ++job) {
        const int64_t b = job / tiles;
        const int64_t begin = (job % tiles) * kCols;
        const int64_t end = begin + kCols < N ? begin + kCols : N;
        const float* base = x + b * M * N;
        int64_t* out = y + b * N;

        std::vector<float> running(base + begin, base + end);
        for (int64_t n = begin; n < end; ++n) out[n] = 0;
        for (int64_t m = 1; m < M; ++m) {
            const float* row = base + m * N;
            for (int64_t n = begin; n < end; ++n) {
                if (row[n] > running[n - begin]) {
                    running[n - begin] = row[n];
                    out[n] = m;
                }
            }
        }
    }
}
