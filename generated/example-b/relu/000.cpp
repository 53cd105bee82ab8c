#include "kernel.h"

extern "C" void relu(const float* x, float* y, int64_t N, int64_t C) {
    // Apply ReLU element-wise
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < C; j++) {
            float value = x[i * C + j];
            if (value > 0) {
                y[i * C + j] = value;
            } else {
                y[i * C + j] = 0;
            }
        }
    }
}
