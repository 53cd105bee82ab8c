#include "kernel.h"

extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
    // Flatten the loops for better cache behaviour
    float running_sum = 0.0f;
    const int64_t total = N * C;
    for (int64_t i = 0; i < total; i++) {
        running_sum += x[i] * (mask[i] ? 1.0f : 0.0f);
        y[i] = running_sum;
    }
}
