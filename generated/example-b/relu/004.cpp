#include "kernel.h"
#include <cmath>

// ReLU implementation: relu(x) = max(x, 0)
extern "C" void relu(const float* x, float* y, int64_t N, int64_t C) {
    // Loop over the features first, then over the batch
    for (int64_t c = 0; c < C; c++) {
        for (int64_t n = 0; n < N; n++) {
            const int64_t index = n * C + c;
            y[index] = std::fmax(x[index], 0.0f);
        }
    }
}
