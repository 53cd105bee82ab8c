#include "kernel.h"
#include <cmath>
#include <vector>

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
    std::vector<float> exps(C);
    for (int64_t n = 0; n < N; n++) {
        // Find the maximum for numerical stability
        float max_val = x[n * C];
        for (int64_t c = 1; c < C; c++) {
            if (x[n * C + c] > max_val) max_val = x[n * C + c];
        }
        // Exponentiate and accumulate
        float sum = 0.0f;
        for (int64_t c = 0; c < C; c++) {
            exps[c] = std::exp(x[n * C + c] - max_val);
            sum += exps[c];
        }
        // Divide by the sum
        for (int64_t c = 0; c < C; c++) {
            y[n * C + c] = exps[c] / sum;
        }
    }
}
