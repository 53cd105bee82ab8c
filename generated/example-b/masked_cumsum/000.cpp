#include "kernel.h"

extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
    for (int64_t n = 0; n < N; n++) {
        float sum = 0.0f;
        for (int64_t c = 0; c < C; c++) {
            if (mask[n * C + c]) {
                sum += x[n * C + c];
            }
            y[n * C + c] = sum;
        }
    }
}
