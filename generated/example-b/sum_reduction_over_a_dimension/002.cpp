#include "kernel.h"
#include <memory>

// The reduced dimension is strided, so the tensor is first transposed to [B, N, M].
// After that every sum runs over contiguous memory.
extern "C" void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
    const int64_t row_size = M * N;                  // one row of the transposed tensor
    const int64_t total_size = B * row_size * M;     // all rows
    std::unique_ptr<float[]> transposed(new float[total_size]);

    for (int64_t b = 0; b < B; b++) {
        for (int64_t m = 0; m < M; m++) {
            for (int64_t n = 0; n < N; n++) {
                transposed[(b * N + n) * M + m] = x[(b * M + m) * N + n];
            }
        }
    }

    for (int64_t i = 0; i < B * N; i++) {
        const float* row = transposed.get() + i * M;
        double sum = 0.0;
        for (int64_t m = 0; m < M; m++) sum += row[m];
        y[i] = (float)sum;
    }
}
