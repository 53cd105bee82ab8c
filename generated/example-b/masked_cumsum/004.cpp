#include "kernel.h"

extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
    // First element of each row
    for (int64_t n = 0; n < N; n++) {
        y[n * C] = mask[n * C] ? x[n * C] : 0.0f;
    }
    // Remaining columns, one column at a time
    for (int64_t c = 1; c < C; c++) {
        #pragma omp simd
        for (int64_t n = 0; n < N; n++) {
            float value = mask[n * C + c] ? x[n * C + c] : 0.0f;
            y[n * C + c] = y[n * C + c - 1] + value;
        }
    }
}
