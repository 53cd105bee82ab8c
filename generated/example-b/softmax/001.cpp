#include "kernel.h"
#include <cmath>

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
    #pragma omp parallel for
    for (int64_t n = 0; n < N; n++) {
        // Compute the denominator
        float sum = 0.0f;
        for (int64_t c = 0; c < C; c++) {
            sum += expf(x[n * C + c]);
        }
        // Normalize
        for (int64_t c = 0; c < C; c++) {
            y[n * C + c] = expf(x[n * C + c]) / sum;
        }
    }
}
